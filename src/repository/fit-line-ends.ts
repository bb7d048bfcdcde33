import type { PatchHunk, PatchSection } from './patch-sections.js';
import { bare } from './patch-text.js';

/** Reads a file of the tree that the patch is for, in patch text; undefined when there is none. */
export type ReadTarget = (path: string) => Promise<string | undefined>;

/**
 * Gives the lines of hunks the line ends that the target's lines have where the hunk fits but for them, for patches that
 * lost or gained carriage returns on their way. Added lines follow the line before them. Nothing else changes, and hunks
 * that do not fit stay as they are.
 *
 * @returns the sections, and the paths whose hunks changed
 */
export async function fitLineEnds({
  sections,
  readTarget,
}: {
  sections: readonly PatchSection[];
  readTarget: ReadTarget;
}): Promise<{ readonly sections: readonly PatchSection[]; readonly fitted: readonly string[] }> {
  const fitted: string[] = [];
  const result: PatchSection[] = [];
  for (const section of sections) {
    const target = section.oldPath === undefined ? undefined : await readTarget(section.oldPath);
    if (target === undefined) {
      result.push(section);
      continue;
    }
    const targetLines = target.split('\n');
    const bareTarget = targetLines.map(bare);
    const hunks = section.hunks.map((hunk) => fitHunk({ hunk, targetLines, bareTarget }));
    if (hunks.some((hunk, index) => hunk !== section.hunks[index])) fitted.push(section.path);
    result.push({ ...section, hunks });
  }
  return { sections: result, fitted };
}

function fitHunk({
  hunk,
  targetLines,
  bareTarget,
}: {
  hunk: PatchHunk;
  targetLines: readonly string[];
  bareTarget: readonly string[];
}): PatchHunk {
  const wanted = hunk.lines.filter((line) => /^[ -]/.test(line)).map((line) => bare(line.slice(1)));
  const start = findBlock({ block: wanted, lines: bareTarget, near: hunk.oldStart - 1 });
  if (start === undefined) return hunk;
  let position = start;
  let end = endOf(targetLines[start]);
  const lines = hunk.lines.map((line, index) => {
    if (line.startsWith('\\')) return line;
    if (!line.startsWith('+')) {
      const targetLine = targetLines[position] ?? '';
      end = endOf(targetLine);
      position += 1;
      return `${line[0]}${targetLine}`;
    }
    // A last line without a line feed has no carriage return either.
    return bare(line) + (hunk.lines[index + 1]?.startsWith('\\') ? '' : end);
  });
  return lines.every((line, index) => line === hunk.lines[index]) ? hunk : { ...hunk, lines };
}

function endOf(line: string | undefined): '\r' | '' {
  return line?.endsWith('\r') ? '\r' : '';
}

/** Start of the block among the lines, the occurrence nearest to `near`; undefined for none or an empty block. */
function findBlock({
  block,
  lines,
  near,
}: {
  block: readonly string[];
  lines: readonly string[];
  near: number;
}): number | undefined {
  if (block.length === 0) return undefined;
  let found: number | undefined;
  for (let start = 0; start + block.length <= lines.length; start += 1) {
    if (found !== undefined && Math.abs(start - near) >= Math.abs(found - near)) continue;
    if (block.every((line, index) => line === lines[start + index])) found = start;
  }
  return found;
}
