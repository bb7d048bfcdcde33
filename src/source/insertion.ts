import type { TextEdit } from './lines.js';
import type { Block, Definition, Outline } from './outline.js';
import { lineBreakAt } from './place-snippet.js';

/** Where a definition goes, in whole lines. */
export interface InsertionPoint {
  /** Range that the definition replaces: empty, or the `pass` of an empty class with its line. */
  readonly start: number;
  readonly end: number;
  readonly indent: string;
  readonly lineBreak: string;
  /** Line breaks in front of the definition. */
  readonly before: number;
  /** Line breaks behind it. */
  readonly after: number;
}

/** The edit that writes a definition's lines at a point. */
export function insertionOf({ point, text }: { readonly point: InsertionPoint; readonly text: string }): TextEdit {
  const { start, end, lineBreak, before, after } = point;
  return { start, end, text: lineBreak.repeat(before) + text + lineBreak.repeat(after) };
}

/**
 * The end of a class's body, behind the comments in it; the place of a sole `pass`.
 *
 * Null for a body on the header's line that is more than `pass`.
 */
export function endOfClass({
  outline,
  definition,
}: {
  readonly outline: Outline;
  readonly definition: Definition;
}): InsertionPoint | null {
  const { lines } = outline;
  const body = outline.blocks[definition.body];
  if (body === undefined) {
    return null;
  }
  const lineBreak = lineBreakAt({ lines, line: definition.startLine - 1 });
  const pass = solePass(body);
  if (body.inline) {
    const indent = `${definition.indent}    `;
    return pass === null || body.hasComment
      ? null
      : { start: definition.header.end, end: definition.end, indent, lineBreak, before: 1, after: 0 };
  }
  if (pass !== null && !body.hasComment) {
    const line = lines.at(pass.start);
    const range = { start: lines.start(line), end: lines.contentEnd(line) };
    return { ...range, indent: body.indent, lineBreak, before: 0, after: 0 };
  }
  return { start: definition.end, end: definition.end, indent: body.indent, lineBreak, before: 2, after: 0 };
}

function solePass(body: Block) {
  const only = body.statements.length === 1 ? body.statements[0] : undefined;
  return only?.type === 'pass_statement' ? only : null;
}

/** The end of the module: behind its last line that is not blank, in front of `if __name__ == '__main__'`. */
export function endOfModule(outline: Outline): InsertionPoint {
  const { lines, text } = outline;
  const statements = outline.blocks[0]?.statements ?? [];
  const last = statements.at(-1);
  const isScript = last?.type === 'if_statement' && /^if\s+\(?__name__\b/.test(text.slice(last.start, last.start + 40));
  const anchor = lastLineInUse({
    outline,
    below: isScript ? lineOfScript({ outline, start: last.start }) : lines.count,
  });
  if (anchor === null) {
    const start = lines.start(0);
    const lineBreak = lineBreakAt({ lines, line: 0 });
    return { start, end: start, indent: '', lineBreak, before: 0, after: isScript ? 3 : 1 };
  }
  const start = lines.contentEnd(anchor);
  return {
    start,
    end: start,
    indent: '',
    lineBreak: lineBreakAt({ lines, line: Math.max(0, anchor - 1) }),
    before: 3,
    after: 0,
  };
}

/** First line of the script at the end, with the comment lines that stand right on it. */
function lineOfScript({ outline, start }: { outline: Outline; start: number }): number {
  const { lines, text } = outline;
  let line = lines.at(start);
  while (line > 0 && text.startsWith('#', lines.start(line - 1))) {
    line -= 1;
  }
  return line;
}

function lastLineInUse({ outline, below }: { outline: Outline; below: number }): number | null {
  let line = below - 1;
  while (line >= 0 && outline.lines.isBlank(line)) {
    line -= 1;
  }
  return line < 0 ? null : line;
}
