import {
  argumentsOf,
  elementsOf,
  isParam,
  keywordOf,
  stringOf,
  valueIds,
  withoutParentheses,
} from './edit-row-values.js';
import type { Row, RowSource, Span, Table } from './edit-rows.js';
import { isExtra, type PythonNode } from './parser.js';
import { type Refusal, refused } from './planned-edit.js';

type SpanOf = (node: PythonNode) => Span;

/** Ids beyond this many combinations of a row are not spelled out. */
const MAX_IDS = 64;

/** The rows of each `parametrize` decorator of a test; none without one. */
export function parametrizedRows(
  source: RowSource,
): { readonly kind: 'rows'; readonly rows: readonly Row[] } | Refusal {
  const rows: Row[] = [];
  for (const decorator of source.statement.namedChildren.filter(({ type }) => type === 'decorator')) {
    const call = decorator.namedChildren.find((child) => !isExtra(child));
    const name = call?.type === 'call' ? (call.childForFieldName('function')?.text ?? '') : '';
    if (call === undefined || !/(^|\.)(parametrize|expand)$/.test(name)) continue;
    const isPytest = name.endsWith('parametrize');
    const [first, second] = argumentsOf(call);
    const names = isPytest ? namesOf(keywordOf({ call, name: 'argnames' }) ?? first) : null;
    const values = isPytest ? (keywordOf({ call, name: 'argvalues' }) ?? second) : first;
    const read = rowsIn({ source, values: values ?? null, names, call });
    if ('kind' in read) return read;
    rows.push(...read);
  }
  return { kind: 'rows', rows };
}

/** Names of the parametrised arguments; null where they are not written out. */
function namesOf(node: PythonNode | null | undefined): readonly string[] | null {
  const text = stringOf(node ?? null);
  if (text !== null)
    return text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
  const names = elementsOf(node)?.map(stringOf) ?? null;
  return names?.every((name) => name !== null) ? names : null;
}

function rowsIn({
  source,
  values,
  names,
  call,
}: {
  source: RowSource;
  values: PythonNode | null;
  names: readonly string[] | null;
  call: PythonNode;
}): readonly Row[] | Refusal {
  const build = (node: PythonNode, spanOf: SpanOf): readonly Row[] | Refusal => {
    const elements = elementsOf(node);
    if (elements === null) {
      return refused(`The rows of \`${source.definition.path}\` are made at run time. Update the whole test.`);
    }
    const table: Table = { elements: elements.map(spanOf), isTuple: withoutParentheses(node)?.type === 'tuple' };
    return rowsOfTable({ source, elements, table, names, call });
  };
  if (values?.type === 'identifier') return source.withConstant({ name: values.text, use: build });
  return values === null ? [] : build(values, source.spanOf);
}

function rowsOfTable({
  source,
  elements,
  table,
  names,
  call,
}: {
  source: RowSource;
  elements: readonly PythonNode[];
  table: Table;
  names: readonly string[] | null;
  call: PythonNode;
}): readonly Row[] {
  const given = keywordOf({ call, name: 'ids' });
  const ids = given?.type === 'none' ? null : given;
  const listed = elementsOf(ids);
  const hasSplat = elements.findIndex(({ type }) => /splat/.test(type));
  const idTable: Table = {
    elements: listed?.map(source.spanOf) ?? [],
    isTuple: withoutParentheses(ids)?.type === 'tuple',
  };
  return elements.flatMap((element, index): Row[] => {
    const span = table.elements[index];
    if (span === undefined || /splat/.test(element.type)) return [];
    const isNumbered = hasSplat < 0 || index < hasSplat;
    const own = listed?.[index];
    const known = idsOf({ element, index: isNumbered ? index : null, names, ids, own });
    const idSpan = idTable.elements[index];
    const text = element.text;
    return [
      {
        ...span,
        text,
        ids: known,
        label: known.length === 1 ? (known[0] ?? text) : text,
        width: names?.length ?? null,
        table,
        id: idSpan === undefined ? null : { own: idSpan, table: idTable },
        hasForeignIds: ids !== null && (listed === null ? !isFunction({ source, ids }) : hasSplat >= 0),
      },
    ];
  });
}

/** True for what makes an id from a value, so that rows may come and go. */
function isFunction({ source, ids }: { source: RowSource; ids: PythonNode }): boolean {
  const isDefined = source.outline.definitions.some(({ type, name }) => type === 'function' && name === ids.text);
  return isDefined || ids.type === 'lambda' || ['str', 'repr'].includes(ids.text);
}

function idsOf({
  element,
  index,
  names,
  ids,
  own,
}: {
  element: PythonNode;
  index: number | null;
  names: readonly string[] | null;
  ids: PythonNode | null;
  own: PythonNode | undefined;
}): readonly string[] {
  const explicit = isParam(element) ? stringOf(keywordOf({ call: element, name: 'id' })) : null;
  if (explicit !== null) return [explicit];
  if (own !== undefined && own.type !== 'none') return [stringOf(own) ?? own.text];
  if (ids !== null && own === undefined) return [];
  const values = isParam(element) ? argumentsOf(element) : names?.length === 1 ? [element] : elementsOf(element);
  if (values === null || names === null || values.length !== names.length) return [];
  const parts = values.map((value, at) => valueIds({ value, fallback: `${names[at] ?? ''}${index ?? '?'}` }));
  let joined: string[] = [];
  for (const [at, part] of parts.entries()) {
    joined = at === 0 ? part : joined.flatMap((before) => part.map((each) => `${before}-${each}`)).slice(0, MAX_IDS);
  }
  return joined;
}
