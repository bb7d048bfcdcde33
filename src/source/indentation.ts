import { linesOf } from './lines.js';
import type { PythonNode } from './parser.js';

/** What a string of several lines has: quotes that go on over line ends, or an escaped line end. */
const OVER_LINES = /"""|'''|\\\r?\n/g;

/**
 * Lines (from 0) that begin inside of a string: their first characters are data and may not be shifted. `text` is the
 * parsed text of the root.
 */
export function protectedLines({
  root,
  text,
}: {
  readonly root: PythonNode;
  readonly text: string;
}): ReadonlySet<number> {
  const rows = new Set<number>();
  let end = 0;
  // Looking at these places takes a tenth of the time that listing all strings does.
  for (const { index } of text.matchAll(OVER_LINES)) {
    const string = index < end ? null : stringAt({ root, index });
    if (string === null) continue;
    end = string.endIndex;
    for (let row = string.startPosition.row + 1; row <= string.endPosition.row; row += 1) rows.add(row);
  }
  return rows;
}

function stringAt({ root, index }: { root: PythonNode; index: number }): PythonNode | null {
  let node = root.descendantForIndex(index);
  while (node !== null && node.type !== 'string' && !/_statement$|_definition$|^block$/.test(node.type))
    node = node.parent;
  return node?.type === 'string' ? node : null;
}

/**
 * Moves whole lines from one indentation to another.
 *
 * Lines that begin inside of a string, blank lines, and lines that are indented less than `from` stay as they are.
 * `firstRow` is the row of the text's first line in `protectedRows`.
 */
export function shiftLines({
  text,
  from,
  to,
  protectedRows,
  firstRow = 0,
}: {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly protectedRows: ReadonlySet<number>;
  readonly firstRow?: number;
}): string {
  if (from === to) {
    return text;
  }
  return text
    .split('\n')
    .map((line, row) => {
      const fixed = protectedRows.has(firstRow + row) || line.trim() === '' || !line.startsWith(from);
      return fixed ? line : to + line.slice(from.length);
    })
    .join('\n');
}

/** The indentation of a text's first line that is not blank. */
export function firstIndent(text: string): string {
  const lines = linesOf(text);
  for (let line = 0; line < lines.count; line += 1) {
    if (!lines.isBlank(line)) {
      return /^[ \t]*/.exec(text.slice(lines.start(line), lines.contentEnd(line)))?.[0] ?? '';
    }
  }
  return '';
}
