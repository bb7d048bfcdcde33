import { linesOf } from './lines.js';
import type { PythonNode } from './parser.js';

/** Lines (from 0) that begin inside of a string: their first characters are data and may not be shifted. */
export function protectedLines(root: PythonNode): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const string of root.descendantsOfType('string')) {
    for (let row = string.startPosition.row + 1; row <= string.endPosition.row; row += 1) {
      rows.add(row);
    }
  }
  return rows;
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
