import { widthOf } from './edit-row-values.js';
import { protectedLines } from './indentation.js';
import { isExtra, type UsePython } from './parser.js';
import { type Refusal, refused } from './planned-edit.js';

const OPENING = '[\n';

/** The source of a row as it stands at an indentation, or why it is not one value with as many parts as needed. */
export function readRow({
  python,
  source,
  width,
  indent,
}: {
  readonly python: UsePython;
  readonly source: string;
  /** Number of names that the row gives values to; null where it is not known. */
  readonly width: number | null;
  /** Put in front of each line but the first. */
  readonly indent: string;
}): string | Refusal {
  const text = source.trim().replace(/\r\n/g, '\n').replace(/\s*,$/, '');
  const whole = `${OPENING}${text}\n]`;
  return python({
    text: whole,
    use: (root) => {
      const statement = root.namedChildren[0];
      const list = statement?.namedChildren[0];
      const isOneList = !root.hasError && root.namedChildren.length === 1 && list?.endIndex === whole.length;
      const values = list?.type === 'list' ? list.namedChildren.filter((child) => !isExtra(child)) : [];
      const [value] = values;
      if (
        !isOneList ||
        value === undefined ||
        values.length > 1 ||
        /splat|named_expression|comprehension/.test(value.type)
      ) {
        return refused('The source of a row is one value: `pytest.param(…)`, `(…)` in parentheses, or a single value.');
      }
      const own = widthOf({ row: value, names: width });
      if (width !== null && own !== null && own !== width) {
        return refused(`The row gives ${own} values, and ${width} are needed.`);
      }
      const inString = protectedLines({ root, text: whole });
      const first = value.startPosition.row;
      return value.text
        .split('\n')
        .map((line, row) => (row === 0 || line === '' || inString.has(first + row) ? line : indent + line))
        .join('\n');
    },
  });
}
