import type { Row, Span, Table } from './edit-rows.js';
import type { TextEdit } from './lines.js';
import type { Outline } from './outline.js';
import { type Refusal, refused } from './planned-edit.js';

/** Edits that take a row out of its table, and its id out of the list of ids. */
export function removalOf({
  outline,
  path,
  row,
}: {
  readonly outline: Outline;
  readonly path: string;
  readonly row: Row;
}): readonly TextEdit[] | Refusal {
  if (row.table.elements.length < 2) {
    return refused(`\`${path}\` has no other row: delete the test.`);
  }
  if (row.hasForeignIds) {
    return refused(`The ids of the rows of \`${path}\` are not written out beside them: update the whole test.`);
  }
  const ids = row.id === null ? [] : removalFrom({ outline, element: row.id.own, table: row.id.table });
  return [...removalFrom({ outline, element: row, table: row.table }), ...ids];
}

/** Takes an element out; a tuple of one keeps its comma. */
function removalFrom({
  outline,
  element,
  table: { elements, isTuple },
}: {
  outline: Outline;
  element: Span;
  table: Table;
}): TextEdit[] {
  const at = elements.findIndex(({ start }) => start === element.start);
  const range = removedRange({ outline, element, before: elements[at - 1], next: elements[at + 1] });
  const rest = elements.length === 2 ? elements[1 - at] : undefined;
  const { text } = outline;
  const isFirst = rest !== undefined && rest.start < element.start;
  const behind = isFirst ? text.slice(rest.end, range.start) + text.slice(range.end) : text.slice(rest?.end);
  const needsComma = isTuple && rest !== undefined && !/^\s*,/.test(behind);
  return [range, ...(needsComma ? [{ start: rest.end, end: rest.end, text: ',' }] : [])];
}

/** Whole lines with the comment behind where the element stands alone on them, else up to its neighbour. */
function removedRange({
  outline,
  element,
  before,
  next,
}: {
  outline: Outline;
  element: Span;
  before: Span | undefined;
  next: Span | undefined;
}): TextEdit {
  const { lines, text } = outline;
  const first = lines.start(lines.at(element.start));
  const lastLine = lines.at(element.end);
  const behind = text.slice(element.end, lines.contentEnd(lastLine));
  if (text.slice(first, element.start).trim() === '' && /^\s*,\s*(#.*)?$/.test(behind)) {
    return { start: first, end: lines.end(lastLine), text: '' };
  }
  if (next !== undefined) return { start: element.start, end: next.start, text: '' };
  // A comment in between belongs to the element before.
  const isFree = before !== undefined && !text.slice(before.end, element.start).includes('#');
  return { start: isFree ? before.end : element.start, end: element.end, text: '' };
}
