import { join } from 'node:path';
import { ResultError } from '../errors.js';
import { applySections, type IndexPlace, isAppliedAlready, writeTree } from './apply-sections.js';
import { initBare, withTemporaryDir } from './bare-repository.js';
import { git, tryGit } from './git.js';
import { topLevelOf } from './inspect-repository.js';
import { normalisePatch } from './normalise-patch.js';
import { fromPatchText } from './patch-text.js';
import { changedPaths, diffTrees } from './tree-diff.js';
import { addWorkingFiles } from './working-files.js';

/** What applying a patch to a working tree changes, or has changed; `already` when its changes are there. */
export type WorkingTreeChange =
  | {
      readonly kind: 'fits';
      readonly changes: readonly { readonly path: string; readonly change: 'added' | 'deleted' | 'modified' }[];
      /** The whole change as a patch against the files as they are now. */
      readonly diff: Uint8Array;
      /** What was mended, left out or found elsewhere, for people. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'already' };

/**
 * Applies a patch to the files of the user's working tree; to nothing else: no commit, no index, no `.git` file is
 * written. With `preview` nothing is written at all.
 *
 * The patch meets the files as they are, uncommitted changes included. It is tried on a copy of them first, and the result
 * is checked by git again before the first file is touched. TG-R04 when it would not apply cleanly, TG-I17 for no working
 * tree.
 */
export async function applyToWorkingTree({
  repoDir,
  patch,
  preview,
}: {
  repoDir: string;
  patch: Uint8Array;
  preview: boolean;
}): Promise<WorkingTreeChange> {
  const topLevel = await topLevelOf({ repoDir });
  const normalised = normalisePatch({ bytes: patch });
  if (normalised.kind === 'excluded') throw doesNotApply({ topLevel, problem: normalised.detail });
  const sections = normalised.sections.filter(({ binary }) => binary !== 'no-data');
  const notes = normalised.sections
    .filter(({ binary }) => binary === 'no-data')
    .map(({ path }) => `${fromPatchText(path)}: a binary change without its data is left out`);

  return withTemporaryDir({
    work: async (dir) => {
      const place = { gitDir: join(dir, 'repository.git'), indexFile: join(dir, 'index') };
      await initBare({ gitDir: place.gitDir, objectFormat: 'sha1' });
      const touched = sections.flatMap(({ path, oldPath }) => [path, oldPath ?? path].map(fromPatchText));
      await addWorkingFiles({ place, topLevel, paths: touched });
      const from = await writeTree(place);
      const applied = await applySections({ place, sections });
      if (applied.kind === 'refused') {
        if (await isAppliedAlready({ place, sections })) return { kind: 'already' };
        throw doesNotApply({ topLevel, problem: applied.detail });
      }
      const pair = { gitDir: place.gitDir, from, to: await writeTree(place) };
      const diff = await diffTrees({ ...pair, renames: false });
      if (diff.length > 0) await applyToFiles({ place, topLevel, diff, preview });
      const changes = (await changedPaths(pair)).map(({ path, change }) => ({ path, change }));
      return { kind: 'fits', changes, diff, notes: [...normalised.notes, ...notes, ...applied.notes] };
    },
  });
}

/** git writes the files, with our repository in place of the user's: no filter or line-end rule of theirs takes part. */
async function applyToFiles({
  place,
  topLevel,
  diff,
  preview,
}: {
  place: IndexPlace;
  topLevel: string;
  diff: Uint8Array;
  preview: boolean;
}): Promise<void> {
  const call = { gitDir: place.gitDir, workTree: topLevel, cwd: topLevel, input: diff };
  const checked = await tryGit({ ...call, args: ['apply', '--check', '--whitespace=nowarn', '-'] });
  if (checked.exitCode !== 0) throw doesNotApply({ topLevel, problem: checked.stderr.trim() });
  if (!preview) await git({ ...call, args: ['apply', '--whitespace=nowarn', '-'] });
}

function doesNotApply({ topLevel, problem }: { topLevel: string; problem: string }) {
  return new ResultError({
    code: 'TG-R04',
    what: `The patch does not apply to the files in ${topLevel}. ${problem}`,
    meaning: 'Nothing was changed. The files differ from the base that the patch was chosen on.',
    fix: 'Commit or stash your changes, check out the base commit of the run, and apply again.',
  });
}
