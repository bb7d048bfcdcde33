/** One hunk of a patch. Lines are in patch text, without their line feed. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** What follows the second `@@`. */
  readonly heading: string;
  /** With their marks: ` `, `+`, `-`, or `\` for a missing final newline. */
  readonly lines: readonly string[];
  /** Line counts as the header announces them. */
  readonly announced: LineCounts;
  /** Line of the header in the text as given, from 1. */
  readonly line: number;
  /** True when the text ended before the announced lines were there. */
  readonly cutOff: boolean;
}

export interface LineCounts {
  readonly old: number;
  readonly new: number;
}

/** What a patch does to one file. */
export interface PatchSection {
  /** From `diff --git` (or `---`) to the line before the first hunk. */
  readonly header: readonly string[];
  readonly hunks: readonly PatchHunk[];
  /** `no-data`: the patch says only that binary files differ. */
  readonly binary: 'no' | 'data' | 'no-data';
  /** Lines of a `GIT binary patch`. */
  readonly binaryLines: readonly string[];
  /** Path after the change, before it for a deleted file; in patch text, without prefix. */
  readonly path: string;
  /** Path before the change; undefined for a new file. */
  readonly oldPath: string | undefined;
  /** First line in the text as given, from 1. */
  readonly line: number;
}

/** Lines that a hunk really has on both sides. */
export function countLines(lines: readonly string[]): LineCounts {
  const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  const context = marked(' ');
  return { old: context + marked('-'), new: context + marked('+') };
}

/** The sections as a patch again. Headers of hunks announce what the hunks have. */
export function renderSections(sections: readonly PatchSection[]): string {
  return sections.map(renderSection).join('');
}

function renderSection({ header, hunks, binaryLines }: PatchSection): string {
  const lines = [...header, ...binaryLines];
  for (const { oldStart, newStart, heading, lines: body } of hunks) {
    const counts = countLines(body);
    lines.push(`@@ -${range(oldStart, counts.old)} +${range(newStart, counts.new)} @@${heading}`, ...body);
  }
  return lines.map((line) => `${line}\n`).join('');
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}
