/**
 * What stands in the field of a patch, judged by its text alone.
 *
 * `diff`: a diff and nothing else; `fenced`: a diff in a Markdown fence; `prose`: a diff with other text around it;
 * `no-diff`: text without a diff; `empty`: nothing, or white space.
 */
export type PatchForm = 'diff' | 'fenced' | 'prose' | 'no-diff' | 'empty';

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** Lines that belong to a diff's header, git's or that of other tools. */
const HEADER =
  /^(?:diff |index |--- |\+\+\+ |old mode |new mode |new file mode |deleted file mode |similarity index |dissimilarity index |rename |copy |Index: |=+$|Binary files |GIT binary patch|(?:literal|delta) \d+$|Only in )/;

/** Counts what a header of a hunk announces, so that a line of a hunk is not taken for text around the diff. */
interface Left {
  old: number;
  new: number;
}

/** Says what stands in the field of a patch. Nothing is changed; preparation takes the diff out of the text. */
export function patchForm(text: string): PatchForm {
  if (text.trim() === '') return 'empty';
  const left: Left = { old: 0, new: 0 };
  let hasDiff = false;
  let hasFence = false;
  let hasProse = false;
  let inBinary = false;
  for (const given of text.split('\n')) {
    const line = given.endsWith('\r') ? given.slice(0, -1) : given;
    if (left.old > 0 || left.new > 0) {
      takeHunkLine({ line, left });
    } else if (HUNK.test(line)) {
      announce({ line, left });
      hasDiff = true;
      inBinary = false;
    } else if (HEADER.test(line)) {
      hasDiff ||= /^(?:diff --git |Binary files |rename to )/.test(line);
      inBinary = /^(?:GIT binary patch|literal |delta )/.test(line);
    } else if (/^\s*(?:```|~~~)/.test(line)) {
      hasFence = true;
    } else if (line.trim() !== '' && !inBinary && !line.startsWith('\\ ')) {
      hasProse = true;
    }
  }
  if (!hasDiff) return 'no-diff';
  if (hasProse) return 'prose';
  return hasFence ? 'fenced' : 'diff';
}

function announce({ line, left }: { line: string; left: Left }): void {
  const [, oldCount, newCount] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  left.old = Number(oldCount ?? 1);
  left.new = Number(newCount ?? 1);
}

function takeHunkLine({ line, left }: { line: string; left: Left }): void {
  if (line.startsWith('\\')) return;
  // A header or fence within a hunk means that the hunk announces more than it has.
  if (HUNK.test(line)) announce({ line, left });
  else if (/^(?:diff --git |```)/.test(line)) {
    left.old = 0;
    left.new = 0;
  } else {
    if (!line.startsWith('+')) left.old -= 1;
    if (!line.startsWith('-')) left.new -= 1;
  }
}
