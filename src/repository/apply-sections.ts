import { fitLineEnds } from './fit-line-ends.js';
import { git, tryGit } from './git.js';
import { type PatchSection, renderSections } from './patch-sections.js';
import { fromPatchText, patchToText, textToPatch } from './patch-text.js';

/** A repository of ours and an index in it that holds the tree to change. */
export interface IndexPlace {
  readonly gitDir: string;
  readonly indexFile: string;
}

export type IndexApplication =
  | { readonly kind: 'applied'; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Applies a patch to the index, as a whole or not at all.
 *
 * Context must match exactly; only its place may differ, as git allows (noted). If it does not, the hunks' line ends are
 * fitted to the target once. Nothing is applied by guessing: no fuzz, no ignored white space, no three-way merge, no
 * rejects. `directory` (ending in `/`) is put before every path.
 */
export async function applySections({
  place,
  sections,
  directory = '',
}: {
  place: IndexPlace;
  sections: readonly PatchSection[];
  directory?: string;
}): Promise<IndexApplication> {
  const asGiven = await applyOnce({ place, sections, directory });
  if (asGiven.kind === 'applied') return asGiven;
  const fit = await fitLineEnds({
    sections,
    readTarget: (path) => readIndexed({ place, path: directory + fromPatchText(path) }),
  });
  if (fit.fitted.length === 0) return asGiven;
  const fitted = await applyOnce({ place, sections: fit.sections, directory });
  if (fitted.kind === 'refused') return asGiven;
  const notes = fit.fitted.map((path) => `${fromPatchText(path)}: line ends were fitted to the file's`);
  return { kind: 'applied', notes: [...notes, ...fitted.notes] };
}

/** True when the patch's reverse applies: its changes are there already. */
export async function isAppliedAlready({
  place,
  sections,
}: {
  place: IndexPlace;
  sections: readonly PatchSection[];
}): Promise<boolean> {
  const input = textToPatch(renderSections(sections));
  const args = ['apply', '--cached', '--check', '--reverse', '--whitespace=nowarn', '-'];
  return (await tryGit({ ...place, input, args })).exitCode === 0;
}

async function applyOnce({
  place,
  sections,
  directory,
}: {
  place: IndexPlace;
  sections: readonly PatchSection[];
  directory: string;
}): Promise<IndexApplication> {
  const input = textToPatch(renderSections(sections));
  const options = ['--cached', '--verbose', '--whitespace=nowarn', '-p1', `--directory=${directory}`];
  const attempts = zeroContextAttempts(sections);
  let stderr = '';
  for (const zeroContext of attempts) {
    const args = ['apply', ...options, ...(zeroContext ? ['--unidiff-zero'] : []), '-'];
    const answer = await tryGit({ ...place, input, args });
    stderr = answer.stderr;
    if (answer.exitCode !== 0) continue;
    return {
      kind: 'applied',
      notes: zeroContext ? ['hunks without context went where their numbers say'] : offsets(stderr),
    };
  }
  return { kind: 'refused', detail: describeRefusal({ stderr, sections, directory }) };
}

/**
 * Whether to tell git that hunks are meant to have no context, as `git diff -U0` makes them. Otherwise it takes such a
 * hunk as one for the end of the file. It must not be told for other patches, as it then anchors no hunk to the
 * beginning or the end any more.
 */
function zeroContextAttempts(sections: readonly PatchSection[]): boolean[] {
  const hunks = sections
    .filter(({ oldPath, header }) => oldPath !== undefined && !header.some((line) => line.startsWith('deleted file')))
    .flatMap((section) => section.hunks);
  const bald = hunks.filter(({ lines }) => !lines.some((line) => line.startsWith(' ')));
  if (bald.some(({ oldStart }) => oldStart > 1)) return [true];
  // A hunk for line 1 is either all of a short file or the first line of a longer one.
  return bald.length > 0 && bald.length === hunks.length ? [false, true] : [false];
}

async function readIndexed({ place, path }: { place: IndexPlace; path: string }): Promise<string | undefined> {
  const read = await tryGit({ ...place, args: ['cat-file', 'blob', `:0:${path}`] });
  return read.exitCode === 0 ? patchToText(read.stdout) : undefined;
}

/** The tree that the index holds now. */
export async function writeTree(place: IndexPlace): Promise<string> {
  return (await git({ ...place, args: ['write-tree'] })).toString().trim();
}

function offsets(stderr: string): string[] {
  let path = '';
  const notes: string[] = [];
  for (const line of stderr.split('\n')) {
    path = /^Checking patch (.*)\.\.\.$/.exec(line)?.[1] ?? path;
    const moved = /^Hunk #(\d+) succeeded at \d+ \(offset (-?\d+ lines?)\)/.exec(line);
    if (moved !== null) notes.push(`${path}, hunk ${moved[1]}: fits ${moved[2]} away from where it says`);
  }
  return notes;
}

/** Which file, hunk and line did not fit, and what git said. */
function describeRefusal({
  stderr,
  sections,
  directory,
}: {
  stderr: string;
  sections: readonly PatchSection[];
  directory: string;
}): string {
  const errors = stderr.split('\n').filter((line) => line.startsWith('error: ') && !line.startsWith('error: while'));
  const failed = errors.flatMap((line) => {
    const [, path = '', start = ''] = /^error: patch failed: (.*):(\d+)$/.exec(line) ?? [];
    const section = sections.find((each) => directory + fromPatchText(each.oldPath ?? each.path) === path);
    const index = section?.hunks.findIndex((hunk) => hunk.oldStart === Number(start)) ?? -1;
    const hunk = section?.hunks[index];
    if (path === '') return [];
    const where = hunk === undefined ? '' : `, hunk ${index + 1} (line ${hunk.line} of the patch)`;
    return [`${path}${where} does not fit line ${start} of the file`];
  });
  const words = errors.map((line) => line.slice('error: '.length)).join('; ') || stderr.trim();
  return `${failed.length > 0 ? `${failed.join('; ')}. ` : ''}git apply: ${words.slice(0, 1000)}`;
}
