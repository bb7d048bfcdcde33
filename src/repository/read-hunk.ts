import type { LineCounts, PatchHunk } from './patch-sections.js';
import { bare } from './patch-text.js';

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s;

/** True where a section of a plain unified diff starts: `---`, `+++`. */
export function isPlainHeader({ lines, at }: { lines: readonly string[]; at: number }): boolean {
  return /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');
}

/**
 * Reads the hunk whose header is line `at`; undefined when the header is none that git could read.
 *
 * The announced counts decide where it ends, as a removed line may look like a header. Counts that do not fit what is
 * there are taken as wrong: then every following line with a mark belongs to the hunk.
 */
export function readHunk({
  lines,
  at,
}: {
  lines: readonly string[];
  at: number;
}): { readonly hunk: PatchHunk; readonly next: number } | undefined {
  const header = HUNK_HEADER.exec(bare(lines[at] ?? ''));
  if (header === null) return undefined;
  const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = header;
  const announced = { old: Number(oldCount), new: Number(newCount) };
  const left = { ...announced };
  const body: string[] = [];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    const satisfied = left.old <= 0 && left.new <= 0;
    const isMark = line.startsWith('\\');
    const ends = satisfied ? !continuesBeyond({ lines, at: next }) : endsEarly({ lines, at: next, left });
    if (!isMark && ends) break;
    // Editors and mail strip the space of an empty context line.
    const kept = bare(line) === '' ? ` ${line}` : line;
    body.push(kept);
    if (/^[ -]/.test(kept)) left.old -= 1;
    if (/^[ +]/.test(kept)) left.new -= 1;
  }
  const tooFew = left.old > 0 || left.new > 0;
  const cutOff = tooFew && next >= lines.length && !body.at(-1)?.startsWith('\\');
  const hunk = { oldStart: Number(oldStart), newStart: Number(newStart), heading, lines: body, announced };
  return { hunk: { ...hunk, line: at + 1, cutOff }, next };
}

/** A marked line right after the announced ones: they were too few. */
function continuesBeyond({ lines, at }: { lines: readonly string[]; at: number }): boolean {
  const line = lines[at] ?? '';
  if (!/^[ +-]/.test(line) || isPlainHeader({ lines, at })) return false;
  const isMailSignature = /^-- ?$/.test(bare(line));
  return !isMailSignature;
}

/** A line that cannot belong to the hunk although more were announced. */
function endsEarly({ lines, at, left }: { lines: readonly string[]; at: number; left: LineCounts }): boolean {
  const line = lines[at] ?? '';
  if (bare(line) === '') return left.old <= 0 || left.new <= 0;
  if (!/^[ +-]/.test(line)) return true;
  const startsSection = isPlainHeader({ lines, at }) && /^@@ -/.test(lines[at + 2] ?? '');
  return startsSection && !(left.old === 1 && left.new === 1);
}
