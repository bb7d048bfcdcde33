import { randomUUID } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { contentKey } from '../artifacts/content-key.js';
import type { UsableCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { ColumnSpec } from '../core/loop-state.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { Suite } from '../core/suite.js';
import { applyCandidate } from '../repository/apply-candidate.js';
import { materialise } from '../repository/materialise.js';
import { copyTree } from './copy-tree.js';
import { discard } from './discard.js';
import { keptTree } from './kept-tree.js';
import { openRepository } from './open-repository.js';
import type { Services } from './services.js';
import type { SetUpStep } from './set-up.js';
import { putSuiteFiles } from './suite-files.js';
import { settle, watchTree } from './untouched.js';

/** Folder of kept trees, below the work folder. */
export const TREES_FOLDER = 'trees';

/** A copy of one column's tree with the suite's files in place, for one execution. */
export interface Workspace {
  readonly treeDir: string;
  /** For the recorder's output; visible in the sandbox at the same path. */
  readonly scratchDir: string;
  /** Keeps the copy for the next execution when it is `reusable` and this one left it untouched, else removes it. */
  readonly close: (how: { readonly reusable: boolean }) => Promise<void>;
}

/**
 * The column's tree as files on this host, kept for reuse and never run in: every execution gets a copy.
 *
 * A host that has not seen the candidate yet applies its patch again, so that executions can land anywhere.
 */
export async function columnTree({
  services,
  instance,
  column,
  candidate,
  setUp,
}: {
  services: Services;
  instance: InstanceSpec;
  column: ColumnSpec;
  /** Null for the base. */
  candidate: UsableCandidate | null;
  /** Belongs to the tree and is run once in it; null for none. */
  setUp: SetUpStep | null;
}): Promise<string> {
  return keptTree({
    trees: join(services.home, STATE_FOLDERS.work, TREES_FOLDER),
    name: setUp === null ? column.treeId : `${column.treeId}-${setUp.key}`,
    stays: setUp?.seesPlace ?? false,
    make: async (dir) => {
      const scratch = await openRepository({ services, instance });
      if (candidate !== null) {
        const patch = await services.store.get(candidate.sourcePatch);
        await applyCandidate({ scratch, baseTreeId: instance.repository.treeId, patch });
      }
      await materialise({ scratch, treeId: column.treeId, dir });
      await setUp?.run(dir);
    },
  });
}

/**
 * A copy of a tree with the suite's files in place, for one execution.
 *
 * A copy that the last execution on the same tree and suite left untouched is used again: a large repository costs more
 * to copy than many a test file to run.
 *
 * @param mountPoints folders below the tree, relative to it, on which the sandbox puts others
 */
export async function openWorkspace({
  services,
  runId,
  tree,
  suite,
  mountPoints = [],
}: {
  services: Services;
  runId: string;
  tree: string;
  suite: Suite;
  mountPoints?: readonly string[];
}): Promise<Workspace> {
  const key = contentKey({ runId, tree, mountPoints: [...mountPoints], files: digestsOf(suite) });
  const kept = await services.workspaces.take(key);
  const dir = kept ?? join(services.home, STATE_FOLDERS.work, 'runs', runId, randomUUID());
  const treeDir = join(dir, 'tree');
  const scratchDir = join(dir, `scratch-${randomUUID()}`);
  try {
    // Without a sandbox the tests' HOME and TMPDIR are here.
    for (const name of ['home', 'tmp']) await mkdir(join(scratchDir, name), { recursive: true });
    if (kept === null) {
      await copyTree({ from: tree, to: treeDir });
      await putSuiteFiles({ services, treeDir, suite });
      for (const point of mountPoints) await makeMountPoint({ treeDir, point });
      await settle();
    }
    const watched = await watchTree({ tree: treeDir, stamp: join(dir, 'stamp') });
    const close: Workspace['close'] = async ({ reusable }) => {
      if (!reusable || !(await watched.isUntouched())) return discard(dir);
      await discard(scratchDir);
      const given = services.workspaces.keep({ key, dir });
      if (given !== null) await discard(given);
    };
    return { treeDir, scratchDir, close };
  } catch (error) {
    await discard(dir);
    throw error;
  }
}

const digestsOf = ({ files }: Suite): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, { digest }]) => [path, digest]));

/** The sandbox would make it, and the tree would count as touched. What the tree has there already may stay in the way. */
async function makeMountPoint({ treeDir, point }: { treeDir: string; point: string }): Promise<void> {
  if (await leadsOutside({ treeDir, point })) return;
  await mkdir(join(treeDir, point), { recursive: true }).catch(() => undefined);
}

/** True when a link in the tree lies on the way to a folder: nothing is made behind one. */
async function leadsOutside({ treeDir, point }: { treeDir: string; point: string }): Promise<boolean> {
  let folder = treeDir;
  for (const name of point.split(sep)) {
    folder = join(folder, name);
    const found = await lstat(folder).catch(() => null);
    if (found === null) return false;
    if (!found.isDirectory()) return true;
  }
  return false;
}
