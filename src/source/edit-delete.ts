import type { TextEdit } from './lines.js';
import type { Definition, Outline } from './outline.js';
import { type PlannedEdit, type Refusal, refused } from './planned-edit.js';
import { resolveDefinition } from './resolve.js';

/** Plans the removal of one function with the blank lines in front of it. */
export function planDelete({
  outline,
  path,
}: {
  readonly outline: Outline;
  /** Qualified name of the definition. */
  readonly path: string;
}): PlannedEdit | Refusal {
  const found = resolveDefinition({ outline, path });
  if (found.kind === 'refused') {
    return found;
  }
  const { definition, shadowed } = found;
  if (definition.type === 'class') {
    return refused(`\`${definition.path}\` is a class: delete its obsolete tests by name.`);
  }
  const earlier = shadowed.at(-1);
  if (earlier !== undefined) {
    return refused(
      `\`${definition.path}\` is defined in line ${earlier.startLine} too: without this definition that one would run.`,
    );
  }
  const block = outline.blocks[definition.block];
  const isOnly = block !== undefined && definition.block > 0 && block.statements.length === 1;
  return {
    kind: 'planned',
    edits: [isOnly ? passInstead(definition) : removal({ outline, definition })],
    touches: [definition.path],
    leaves: null,
    removedSource: outline.text.slice(definition.start, definition.end),
  };
}

function passInstead(definition: Definition): TextEdit {
  return { start: definition.start, end: definition.end, text: `${definition.indent}pass` };
}

/** Whole lines; the blank ones behind instead of those in front where it is the first thing in its block. */
function removal({ outline, definition }: { outline: Outline; definition: Definition }): TextEdit {
  const { lines, text } = outline;
  let first = definition.startLine - 1;
  let last = definition.endLine - 1;
  const isFirst = outline.blocks[definition.block]?.statements[0]?.start === statementStart(definition);
  const beforeIsHeader = isFirst && (first === 0 || !isCommentAbove({ outline, line: first }));
  if (beforeIsHeader) {
    let next = last + 1;
    while (next < lines.count && lines.isBlank(next)) {
      next += 1;
    }
    // Blank lines that nothing follows do not separate.
    last = next < lines.count ? next - 1 : last;
  } else {
    while (first > 0 && lines.isBlank(first - 1)) {
      first -= 1;
    }
  }
  const start = lines.start(first);
  const end = lines.end(last);
  const endsFile = end === text.length && !text.endsWith('\n');
  const breakBefore = endsFile && first > 0 ? lines.start(first) - lines.contentEnd(first - 1) : 0;
  return { start: start - breakBefore, end, text: '' };
}

const statementStart = (definition: Definition): number => definition.start + definition.indent.length;

/** True when the nearest line above that is not blank is a comment. */
function isCommentAbove({ outline, line }: { outline: Outline; line: number }): boolean {
  const { lines, text } = outline;
  let above = line - 1;
  while (above > 0 && lines.isBlank(above)) {
    above -= 1;
  }
  return text.slice(lines.start(above), lines.contentEnd(above)).trimStart().startsWith('#');
}
