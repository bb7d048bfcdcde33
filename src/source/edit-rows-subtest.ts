import { elementsOf, withoutParentheses } from './edit-row-values.js';
import type { Row, RowSource, Span, Table } from './edit-rows.js';
import { isExtra, type PythonNode } from './parser.js';
import { type Refusal, refused } from './planned-edit.js';

/** The rows of the one loop of a test that goes through a list and opens a `subTest` for each element. */
export function subTestRows(source: RowSource): { readonly kind: 'rows'; readonly rows: readonly Row[] } | Refusal {
  const { statement, definition } = source;
  const loops = statement.descendantsOfType('for_statement').filter((loop) => subTestOf(loop) !== null);
  const [loop] = loops;
  if (loop === undefined) return { kind: 'rows', rows: [] };
  if (loops.length > 1) {
    return refused(`\`${definition.path}\` has ${loops.length} loops around \`subTest\`. Update the whole test.`);
  }
  const over = loop.childForFieldName('right');
  if (over?.type === 'identifier') {
    const local = localValue({ statement, name: over.text });
    if (local.kind === 'refused') return local;
    if (local.value !== null) return table({ source, loop, value: local.value, spanOf: source.spanOf });
    return source.withConstant({ name: over.text, use: (value, spanOf) => table({ source, loop, value, spanOf }) });
  }
  return table({ source, loop, value: over, spanOf: source.spanOf });
}

/** The `subTest` call that stands in a loop's body and in no loop inside of it. */
function subTestOf(loop: PythonNode): PythonNode | null {
  const calls = loop.descendantsOfType('call').filter((call) => {
    const name = call.childForFieldName('function')?.text ?? '';
    return /(^|\.)subTest$/.test(name) || /^subtests\.test$/.test(name);
  });
  return calls.find((call) => innermostLoop(call)?.id === loop.id) ?? null;
}

function innermostLoop(node: PythonNode): PythonNode | null {
  let above = node.parent;
  while (above !== null && above.type !== 'for_statement') above = above.parent;
  return above;
}

/** What a name is bound to in a function, null when it is no local of it. */
function localValue({
  statement,
  name,
}: {
  statement: PythonNode;
  name: string;
}): { readonly kind: 'local'; readonly value: PythonNode | null } | Refusal {
  const bound = statement
    .descendantsOfType('assignment')
    .filter((one) => one.childForFieldName('left')?.text === name)
    .map((one) => one.childForFieldName('right'));
  const uses = statement.descendantsOfType('identifier').filter(({ text }) => text === name).length;
  if (bound.length > 1 || (bound.length === 1 && uses > 2)) {
    return refused(`The rows are in \`${name}\`, which the test uses elsewhere too. Update the whole test.`);
  }
  return { kind: 'local', value: bound[0] ?? null };
}

function table({
  source,
  loop,
  value,
  spanOf,
}: {
  source: RowSource;
  loop: PythonNode;
  value: PythonNode | null;
  spanOf: (node: PythonNode) => Span;
}): { readonly kind: 'rows'; readonly rows: readonly Row[] } | Refusal {
  const elements = elementsOf(value);
  if (value === null || elements === null) {
    return refused(`The rows of \`${source.definition.path}\` are made at run time. Update the whole test.`);
  }
  const left = loop.childForFieldName('left');
  const targets = left === null || left.type === 'identifier' ? [left?.text ?? ''] : namesIn(left);
  const call = subTestOf(loop);
  const given = call?.childForFieldName('arguments')?.namedChildren.filter((child) => !isExtra(child)) ?? [];
  const isSingle = left?.type === 'identifier';
  const own: Table = { elements: elements.map(spanOf), isTuple: withoutParentheses(value)?.type === 'tuple' };
  const rows = elements
    .filter(({ type }) => !/splat/.test(type))
    .map((element): Row => {
      const values = isSingle ? [element] : (elementsOf(element) ?? []);
      const id = values.length === targets.length ? idOf({ given, targets, values }) : null;
      return {
        ...spanOf(element),
        text: element.text,
        ids: id === null ? [] : [id, `(${id})`],
        label: id ?? element.text,
        width: targets.length,
        table: own,
        id: null,
        hasForeignIds: false,
      };
    });
  return { kind: 'rows', rows };
}

const namesIn = (pattern: PythonNode): string[] =>
  pattern.namedChildren.filter((child) => !isExtra(child)).map(({ text }) => text);

/** `a=1, b='x'`, as unittest describes a sub-test; null where an argument is no variable of the loop. */
function idOf({
  given,
  targets,
  values,
}: {
  given: readonly PythonNode[];
  targets: readonly string[];
  values: readonly PythonNode[];
}): string | null {
  const parts = given.map((argument) => {
    const name = argument.childForFieldName('name')?.text;
    const variable = argument.childForFieldName('value')?.text ?? argument.text;
    const value = values[targets.indexOf(variable)];
    if (value === undefined) return null;
    return name === undefined ? `[${value.text}]` : `${name}=${value.text}`;
  });
  return parts.length === 0 || parts.includes(null) ? null : parts.join(', ');
}
