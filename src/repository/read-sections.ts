import type { PatchHunk, PatchSection } from './patch-sections.js';
import { bare, fromPatchText } from './patch-text.js';
import { isPlainHeader, readHunk } from './read-hunk.js';
import { leavesRepository } from './safe-path.js';
import { nameSection } from './section-names.js';

/** What of a text is a patch. */
export type PatchReading =
  | { readonly kind: 'sections'; readonly sections: readonly PatchSection[]; readonly notes: readonly string[] }
  /** `line` counts from 1 in the text as given. */
  | { readonly kind: 'problem'; readonly line: number; readonly problem: string };

type SectionReading =
  | {
      readonly kind: 'section';
      readonly section: PatchSection;
      readonly next: number;
      readonly notes: readonly string[];
    }
  | Extract<PatchReading, { kind: 'problem' }>;

const EXTENDED_HEADER =
  /^(old mode|new mode|deleted file mode|new file mode|(copy|rename) (from|to)|(dis)?similarity index|index) /;
const BINARY_DIFFERS = /^(?:Binary files|Files) (.*) and (.*) differ\r?$/;

/**
 * Reads the sections of a patch out of a text; whatever stands before, between and after them is left out: prose,
 * fences, mail headers, `Index:` lines. A hunk without a file, or one that git could not read, is a problem and never
 * left out silently.
 */
export function readSections(lines: readonly string[]): PatchReading {
  const sections: PatchSection[] = [];
  const notes: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const stray = strayLine(line);
    if (stray !== undefined) return { kind: 'problem', line: at + 1, problem: stray };
    if (line.startsWith('diff --git ') || isPlainHeader({ lines, at }) || BINARY_DIFFERS.test(line)) {
      const reading = readSection({ lines, at });
      if (reading.kind === 'problem') return reading;
      sections.push(reading.section);
      notes.push(...reading.notes);
      at = reading.next;
    } else {
      at += 1;
    }
  }
  return { kind: 'sections', sections, notes };
}

function strayLine(line: string): string | undefined {
  if (/^@@ -\d/.test(line)) return 'a hunk stands here without the file that it changes';
  if (/^diff --(cc|combined) /.test(line)) return 'a merge is shown with two parents, which cannot be applied';
  return undefined;
}

function readSection({ lines, at }: { lines: readonly string[]; at: number }): SectionReading {
  const bodyAt = endOfHeader({ lines, at });
  const given = lines.slice(at, bodyAt);
  const problem = (what: string): SectionReading => ({ kind: 'problem', line: at + 1, problem: what });
  const plainBinary = BINARY_DIFFERS.exec(given[0] ?? '');
  const named = nameSection(plainBinary === null ? given : [`--- ${plainBinary[1]}`, `+++ ${plainBinary[2]}`]);
  const path = named?.newPath ?? named?.oldPath;
  if (named === undefined || path === undefined) return problem('the header names no file');
  const outside = [named.oldPath, named.newPath].find((each) => each !== undefined && leavesRepository(each));
  if (outside !== undefined) return problem(`the path ${fromPatchText(outside)} leads out of the repository`);

  const section = { header: named.header, path, oldPath: named.oldPath, line: at + 1, binaryLines: [], hunks: [] };
  const notes = named.notes.map((note) => `${fromPatchText(path)}: ${note}`);
  const done = (rest: Partial<PatchSection>, next: number): SectionReading => ({
    kind: 'section',
    section: { ...section, binary: 'no', ...rest },
    next,
    notes,
  });
  const body = lines[bodyAt] ?? '';
  if (plainBinary !== null) return done({ binary: 'no-data' }, bodyAt);
  if (BINARY_DIFFERS.test(body)) return done({ binary: 'no-data' }, bodyAt + 1);
  if (body.startsWith('GIT binary patch')) {
    const next = endOfBinary({ lines, at: bodyAt });
    const binaryLines = lines.slice(bodyAt, next).map(bare);
    // git wants the empty line at the end of the data, which is lost when the text around it is trimmed.
    if (binaryLines.at(-1) !== '') binaryLines.push('');
    return done({ binary: 'data', binaryLines }, next);
  }
  const read = readHunks({ lines, at: bodyAt });
  if (read.kind === 'problem') return read;
  if (read.hunks.length === 0 && named.header.some((line) => line.startsWith('+++ '))) {
    return problem(`the section of ${fromPatchText(path)} has no hunk`);
  }
  return done({ hunks: read.hunks }, read.next);
}

function endOfHeader({ lines, at }: { lines: readonly string[]; at: number }): number {
  let next = at;
  if (!isPlainHeader({ lines, at })) {
    next += 1;
    while (EXTENDED_HEADER.test(lines[next] ?? '')) next += 1;
  }
  return isPlainHeader({ lines, at: next }) ? next + 2 : next;
}

function readHunks({ lines, at }: { lines: readonly string[]; at: number }) {
  const hunks: PatchHunk[] = [];
  let next = at;
  for (;;) {
    let start = next;
    while (bare(lines[start] ?? '-') === '') start += 1;
    if (!lines[start]?.startsWith('@@')) return { kind: 'hunks', hunks, next } as const;
    const read = readHunk({ lines, at: start });
    if (read === undefined) {
      const problem = `the hunk's header ${fromPatchText(bare(lines[start] ?? '')).slice(0, 60)} has no line numbers`;
      return { kind: 'problem', line: start + 1, problem } as const;
    }
    hunks.push(read.hunk);
    next = read.next;
  }
}

/** A binary patch is one or two blocks, each ended by an empty line. */
function endOfBinary({ lines, at }: { lines: readonly string[]; at: number }): number {
  let next = at + 1;
  while (/^(literal|delta) \d+/.test(lines[next] ?? '')) {
    while (next < lines.length && bare(lines[next] ?? '') !== '') next += 1;
    next += 1;
  }
  return Math.min(next, lines.length);
}
