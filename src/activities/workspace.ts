import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsableCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { ColumnSpec } from '../core/loop-state.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { Suite } from '../core/suite.js';
import { applyCandidate } from '../repository/apply-candidate.js';
import { materialise } from '../repository/materialise.js';
import { discard } from './discard.js';
import { keptTree } from './kept-tree.js';
import { openRepository } from './open-repository.js';
import type { Services } from './services.js';
import type { SetUpStep } from './set-up.js';
import { putSuiteFiles } from './suite-files.js';

/** Folder of kept trees, below the work folder. */
export const TREES_FOLDER = 'trees';

/** A throw-away copy of one column's tree with the suite's files in place. */
export interface Workspace {
  readonly treeDir: string;
  /** For the recorder's output; visible in the sandbox at the same path. */
  readonly scratchDir: string;
  readonly remove: () => Promise<void>;
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

/** Copies a tree and puts the suite's files into it. */
export async function openWorkspace({
  services,
  runId,
  tree,
  suite,
}: {
  services: Services;
  runId: string;
  tree: string;
  suite: Suite;
}): Promise<Workspace> {
  const dir = join(services.home, STATE_FOLDERS.work, 'runs', runId, randomUUID());
  const treeDir = join(dir, 'tree');
  const scratchDir = join(dir, 'scratch');
  try {
    // Without a sandbox the tests' HOME and TMPDIR are here.
    for (const name of ['home', 'tmp']) await mkdir(join(scratchDir, name), { recursive: true });
    // A copy-on-write clone where the file system can make one.
    await cp(tree, treeDir, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await putSuiteFiles({ services, treeDir, suite });
  } catch (error) {
    await discard(dir);
    throw error;
  }
  return { treeDir, scratchDir, remove: () => discard(dir) };
}
