import type { Operation } from '../core/suite.js';
import { removalOf } from './edit-row-removal.js';
import { readRow } from './edit-row-source.js';
import { type Row, rowsOf } from './edit-rows.js';
import type { Outline } from './outline.js';
import type { UsePython } from './parser.js';
import { lineBreakAt } from './place-snippet.js';
import { type PlannedEdit, type Refusal, refused } from './planned-edit.js';
import { resolveDefinition } from './resolve.js';

/** Rows that a refusal names at most. */
const NAMED_ROWS = 12;

/**
 * Plans the replacement or the removal of one row of a parametrised test: an element of a `parametrize` list that is
 * written out, or of the list that a loop around `self.subTest` goes through.
 *
 * A row is named by the id that pytest gives it, by the values that `subTest` is given (`a=1`), or by its source text.
 * Refused when that is none or more than one, and when the rows are made at run time or shared with other tests.
 */
export function planRow({
  python,
  outline,
  operation,
  path,
  row,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly operation: Exclude<Operation, { op: 'create' }>;
  readonly path: string;
  readonly row: string;
}): PlannedEdit | Refusal {
  const found = resolveDefinition({ outline, path });
  if (found.kind === 'refused') return found;
  const { definition } = found;
  if (definition.type === 'class') return refused(`\`${path}\` is a class; name one of its tests.`);
  const table = rowsOf({ python, outline, definition });
  if (table.kind === 'refused') return table;
  const exactly = table.rows.filter(({ ids, text }) => ids.includes(row) || text === row);
  const meant = exactly.length > 0 ? exactly : table.rows.filter((one) => isNamed({ one, name: row }));
  const [target] = meant;
  if (target === undefined || meant.length > 1) {
    const what = meant.length > 1 ? `names ${meant.length} rows` : 'names no row';
    const names = table.rows.map(({ label }) => `\`[${label}]\``);
    const more = names.length > NAMED_ROWS ? `, … ${names.length - NAMED_ROWS} more` : '';
    const list = `${names.slice(0, NAMED_ROWS).join(', ')}${more}`;
    return refused(
      `\`[${row}]\` ${what} of \`${path}\`. Its rows: ${list}. Name one of them, or update the whole test.`,
    );
  }
  const edits =
    operation.op === 'delete'
      ? removalOf({ outline, path, row: target })
      : replacementOf({ python, outline, row: target, source: operation.source });
  if ('kind' in edits) return edits;
  return {
    kind: 'planned',
    edits,
    touches: [definition.path],
    leaves: definition.path,
    removedSource: outline.text.slice(target.start, target.end),
  };
}

const isNamed = ({ one, name }: { one: Row; name: string }): boolean => {
  const wanted = squeezed(name);
  return one.ids.some((id) => squeezed(id) === wanted) || squeezed(one.text) === wanted;
};

/** Without blanks and with one kind of quotes, as runners and people write values differently. */
const squeezed = (text: string): string => text.replace(/\s+/g, '').replaceAll('"', "'");

function replacementOf({
  python,
  outline,
  row,
  source,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly row: Row;
  readonly source: string;
}) {
  const { lines, text } = outline;
  const line = lines.at(row.start);
  const indent = /^[ \t]*/.exec(text.slice(lines.start(line), row.start))?.[0] ?? '';
  const read = readRow({ python, source, width: row.width, indent });
  if (typeof read !== 'string') return read;
  const placed = read.replace(/\r?\n/g, lineBreakAt({ lines, line }));
  return [{ start: row.start, end: row.end, text: placed }];
}
