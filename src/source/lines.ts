/** Lines of a text, counted from 0; a byte order mark belongs to no line. */
export interface Lines {
  readonly text: string;
  readonly count: number;
  /** Index of a line's first character. */
  readonly start: (line: number) => number;
  /** Index behind a line's last character, without its line break. */
  readonly contentEnd: (line: number) => number;
  /** Index behind a line's break, or the text's length. */
  readonly end: (line: number) => number;
  /** The line that holds an index. */
  readonly at: (index: number) => number;
  readonly isBlank: (line: number) => boolean;
}

/** A replacement of text[start, end) by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Builds the table of lines in one pass; look-ups take logarithmic time. */
export function linesOf(text: string): Lines {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  const start = (line: number): number => starts[line] ?? text.length;
  const end = (line: number): number => starts[line + 1] ?? text.length;
  const contentEnd = (line: number): number => {
    const behind = end(line);
    const unbroken = line + 1 < starts.length ? behind - 1 : behind;
    return unbroken > start(line) && line + 1 < starts.length && text[unbroken - 1] === '\r' ? unbroken - 1 : unbroken;
  };
  return {
    text,
    count: starts.length,
    start,
    end,
    contentEnd,
    at: (index) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (start(middle) <= index) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    },
    isBlank: (line) => text.slice(start(line), contentEnd(line)).trim() === '',
  };
}

/** Row and column of an index, from 0, as the parser counts them. */
export function positionOf({ text, index }: { readonly text: string; readonly index: number }): {
  readonly row: number;
  readonly column: number;
} {
  let row = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) row += 1;
  return { row, column: index - lineStart({ text, index }) };
}

/** Index of the first character of the line that holds an index. */
export const lineStart = ({ text, index }: { readonly text: string; readonly index: number }): number =>
  index <= 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;

/** Applies edits that do not overlap, in any order; edits at the same place keep their order. */
export function applyTextEdits({
  text,
  edits,
}: {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}): string {
  const ordered = edits.toSorted((left, right) => left.start - right.start || left.end - right.end);
  const parts: string[] = [];
  let position = 0;
  for (const edit of ordered) {
    parts.push(text.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  parts.push(text.slice(position));
  return parts.join('');
}
