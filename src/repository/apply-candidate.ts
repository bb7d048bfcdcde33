import { join } from 'node:path';
import type { ExclusionReason } from '../core/candidate.js';
import { isRunnerConfig, isTestPath } from '../core/test-paths.js';
import { applySections, type IndexPlace, writeTree } from './apply-sections.js';
import { withTemporaryDir } from './bare-repository.js';
import { git } from './git.js';
import { normalisePatch } from './normalise-patch.js';
import { fromPatchText } from './patch-text.js';
import type { Scratch } from './scratch.js';
import { changedPaths, countLines, diffTrees, type TreeChange } from './tree-diff.js';

/** A candidate on the base, or why it takes no part. */
export type AppliedCandidate =
  | {
      readonly kind: 'usable';
      /** Git tree of the base plus the whole patch. */
      readonly fullTreeId: string;
      /** The same with what is set aside put back to the base: what is executed. */
      readonly treeId: string;
      /** Paths that differ between the base and `treeId`; a moved file is both its paths. */
      readonly changedFiles: readonly string[];
      /** Test files, and files that only configure the test runner, put back to the base; added ones are removed. */
      readonly setAside: readonly string[];
      /** Runner configuration that the candidate touched. `setup.cfg` and `pyproject.toml` stay as it made them. */
      readonly runnerConfig: readonly string[];
      /** Makes exactly `treeId` out of the base, binary content included. */
      readonly sourcePatch: Uint8Array;
      readonly added: number;
      readonly removed: number;
      /** What was mended, left out or found elsewhere, for people. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'excluded';
      readonly reason: ExclusionReason;
      /** What is wrong and where: file, hunk, line. */
      readonly detail: string;
    };

/**
 * Applies a candidate's patch, normalised or as given, to the base tree in the scratch repository.
 *
 * Equal changes give equal tree ids, however their patches are written. `directory` is for patches whose paths are
 * relative to a directory of the repository: `packages/core/`.
 */
export async function applyCandidate({
  scratch,
  baseTreeId,
  patch,
  directory = '',
}: {
  scratch: Scratch;
  baseTreeId: string;
  patch: Uint8Array;
  directory?: string;
}): Promise<AppliedCandidate> {
  const normalised = normalisePatch({ bytes: patch });
  if (normalised.kind === 'excluded') return normalised;
  const sections = normalised.sections.filter(({ binary }) => binary !== 'no-data');
  const withoutData = normalised.sections
    .filter(({ binary }) => binary === 'no-data')
    .map(({ path }) => `${fromPatchText(path)}: the patch says that this binary file differs, but not how; left out`);
  if (sections.length === 0) return { kind: 'excluded', reason: 'binary-only', detail: withoutData.join('; ') };

  return withTemporaryDir({
    work: async (dir) => {
      const place = { gitDir: scratch.gitDir, indexFile: join(dir, 'index') };
      await git({ ...place, args: ['read-tree', baseTreeId] });
      const applied = await applySections({ place, sections, directory });
      if (applied.kind === 'refused') return { kind: 'excluded', reason: 'does-not-apply', detail: applied.detail };
      const fullTreeId = await writeTree(place);
      const changes = await changedPaths({ gitDir: scratch.gitDir, from: baseTreeId, to: fullTreeId });
      const aside = changes.filter(({ path }) => belongsToTests(path));
      await putBack({ place, changes: aside });
      const notes = [...normalised.notes, ...withoutData, ...applied.notes];
      return describe({ scratch, baseTreeId, fullTreeId, treeId: await writeTree(place), changes, notes });
    },
  });
}

/** Files that configure packaging as well as the runner cannot be put back without undoing the candidate's own work. */
function belongsToTests(path: string): boolean {
  return isTestPath(path) || (isRunnerConfig(path) && !/(^|\/)(setup\.cfg|pyproject\.toml)$/.test(path));
}

async function putBack({ place, changes }: { place: IndexPlace; changes: readonly TreeChange[] }): Promise<void> {
  // Removals first: an added file may stand where a deleted directory was.
  const ordered = [...changes].sort(
    (left, right) => Number(right.change === 'added') - Number(left.change === 'added'),
  );
  const entries = ordered.map(({ path, change, oldMode, oldId }) =>
    change === 'added' ? `0 ${oldId}\t${path}\0` : `${oldMode} ${oldId}\t${path}\0`,
  );
  if (entries.length > 0)
    await git({ ...place, args: ['update-index', '-z', '--index-info'], input: entries.join('') });
}

async function describe({
  scratch,
  baseTreeId,
  fullTreeId,
  treeId,
  changes,
  notes,
}: {
  scratch: Scratch;
  baseTreeId: string;
  fullTreeId: string;
  treeId: string;
  changes: readonly TreeChange[];
  notes: readonly string[];
}): Promise<AppliedCandidate> {
  const setAside = changes.map(({ path }) => path).filter(belongsToTests);
  if (treeId === baseTreeId) {
    return setAside.length > 0
      ? { kind: 'excluded', reason: 'tests-only', detail: `Only tests are changed: ${setAside.join(', ')}.` }
      : { kind: 'excluded', reason: 'empty', detail: 'The patch applies and changes nothing.' };
  }
  const pair = { gitDir: scratch.gitDir, from: baseTreeId, to: treeId };
  return {
    kind: 'usable',
    fullTreeId,
    treeId,
    changedFiles: (await changedPaths(pair)).map(({ path }) => path),
    setAside,
    runnerConfig: changes.map(({ path }) => path).filter(isRunnerConfig),
    sourcePatch: await diffTrees({ ...pair, renames: true }),
    ...(await countLines(pair)),
    notes,
  };
}
