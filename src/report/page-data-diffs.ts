import { parsePatch } from 'diff';
import type { CandidateDiff, DiffHunk, DiffLine, FileDiffs } from './page-data.js';
import { safeLine, safeText } from './safe-text.js';

/** Lines of one candidate's diff of one file that are shown; more are counted in a last line. */
const MAX_LINES = 2_000;

/** A candidate's change, with the class of candidates that make the same one. */
export interface CandidatePatch {
  readonly id: string;
  /** Equal for candidates whose trees are the same. */
  readonly treeId: string;
  /** A unified diff. */
  readonly patch: string;
}

interface ParsedFile {
  readonly id: string;
  readonly treeId: string;
  readonly path: string;
  readonly hunks: readonly { readonly head: string; readonly lines: readonly Omit<DiffLine, 'only'>[] }[];
}

/**
 * Candidates' diffs by file, in the order given, with the lines that one of them alone adds or removes in that file. Lines
 * are compared without the white space around them; empty ones are nobody's own. A patch that cannot be read is left out.
 */
export function fileDiffs(patches: readonly CandidatePatch[]): FileDiffs[] {
  const files = patches.flatMap(parsedFiles);
  const paths = [...new Set(files.map(({ path }) => path))];
  return paths.map((path) => {
    const own = files.filter((file) => file.path === path);
    const users = new Map<string, Set<string>>();
    for (const { treeId, hunks } of own) {
      for (const line of hunks.flatMap(({ lines }) => lines)) {
        const key = keyOf(line);
        if (key !== null) users.set(key, (users.get(key) ?? new Set()).add(treeId));
      }
    }
    const isOnly = (line: Omit<DiffLine, 'only'>): boolean => {
      const key = keyOf(line);
      return key !== null && users.get(key)?.size === 1;
    };
    return {
      path: safeLine(path),
      candidates: own.map(({ id, hunks }): CandidateDiff => ({ id, hunks: marked({ hunks, isOnly }) })),
    };
  });
}

function marked({
  hunks,
  isOnly,
}: {
  hunks: ParsedFile['hunks'];
  isOnly: (line: Omit<DiffLine, 'only'>) => boolean;
}): DiffHunk[] {
  return hunks.map(({ head, lines }) => {
    const own = lines.map((line): DiffLine => ({ ...line, only: isOnly(line) }));
    return { head, lines: own, common: own.every(({ only }) => !only) };
  });
}

const keyOf = ({ sign, text }: Omit<DiffLine, 'only'>): string | null =>
  sign === ' ' || text.trim() === '' ? null : `${sign}${text.trim()}`;

function parsedFiles({ id, treeId, patch }: CandidatePatch): ParsedFile[] {
  return parsed(patch).map((file) => {
    let left = MAX_LINES;
    const hunks = file.hunks.map((hunk) => {
      const lines = hunk.lines.filter((line) => !line.startsWith('\\')).map(diffLine);
      const kept = lines.slice(0, Math.max(0, left));
      const cut = lines.length - kept.length;
      left -= lines.length;
      const more = { sign: ' ' as const, text: `(${cut} more lines)` };
      return { head: headOf(hunk), lines: cut === 0 ? kept : [...kept, more] };
    });
    return { id, treeId, path: pathOf(file), hunks };
  });
}

/** A unified diff as lines for a page, file names and hunk heads included; empty for none. */
export function patchLines(patch: string): DiffLine[] {
  return parsed(patch).flatMap((file) => [
    { sign: ' ' as const, text: `# ${safeLine(pathOf(file))}`, only: false },
    ...file.hunks.flatMap((hunk) => [
      { sign: ' ' as const, text: headOf(hunk), only: false },
      ...hunk.lines
        .filter((line) => !line.startsWith('\\'))
        .slice(0, MAX_LINES)
        .map((line) => ({ ...diffLine(line), only: false })),
    ]),
  ]);
}

type Parsed = ReturnType<typeof parsePatch>[number];

function parsed(patch: string): Parsed[] {
  try {
    return parsePatch(patch).filter(({ hunks }) => hunks.length > 0);
  } catch {
    return [];
  }
}

function diffLine(line: string): Omit<DiffLine, 'only'> {
  const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
  return { sign, text: safeText(line.slice(1)).replace(/\n/g, ' ') };
}

const headOf = ({ oldStart, oldLines, newStart, newLines }: Parsed['hunks'][number]): string =>
  `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;

function pathOf({ oldFileName = '', newFileName = '' }: Parsed): string {
  const name = newFileName === '/dev/null' || newFileName === '' ? oldFileName : newFileName;
  return name.replace(/^[ab]\//, '');
}
