import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { unfinishedTrees } from '../activities/kept-tree.js';
import type { Services } from '../activities/services.js';
import { TREES_FOLDER } from '../activities/workspace.js';
import { createWorkspacePool } from '../activities/workspace-pool.js';
import { openArtifacts } from '../artifacts/open-store.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { ChatModel } from '../llm/chat.js';
import { createModelFromEnvironment } from '../llm/model-from-environment.js';
import { reapContainers } from '../sandbox/docker-reaper.js';
import { reapOrphans } from '../sandbox/reaper.js';
import { removeTree } from '../sandbox/remove-tree.js';

/**
 * The services of a worker process: the store and the model that the process's own environment names, the store by
 * default in the state folder. Keys stay in that environment; nothing here is written down.
 */
export function createServices({
  home,
  env,
  stopping,
}: {
  home: string;
  env: NodeJS.ProcessEnv;
  stopping: AbortSignal;
}): Services {
  let model: ChatModel | undefined;
  return {
    home,
    stopping,
    workspaces: createWorkspacePool({ maxIdle: 4 * availableParallelism() }),
    store: openArtifacts({ env, dir: join(home, STATE_FOLDERS.store) }),
    model: async () => {
      model ??= createModelFromEnvironment({ env });
      return model;
    },
    priceOverride: env.TESTGRAD_PRICE,
  };
}

// A tree that is being made this long belongs to a process that was killed.
const UNFINISHED_AFTER_MS = 3_600_000;
// The end of a run clears the host that it falls on; no execution on another one is half a day long.
const LEFT_AFTER_MS = 86_400_000;

/**
 * Ends what dead workers and runs that ended elsewhere left on this host: sandbox processes, containers, trees that were never
 * finished, and throw-away copies that nothing has touched for a day.
 */
export async function reapHost({ home }: { home: string }): Promise<void> {
  await reapOrphans();
  await reapContainers();
  const work = join(home, STATE_FOLDERS.work);
  for (const dir of await unfinishedTrees(join(work, TREES_FOLDER))) {
    if (await isOlder({ paths: [dir], ageMs: UNFINISHED_AFTER_MS })) await removeQuietly(dir);
  }
  for (const dir of await entriesOf(join(work, 'runs'))) {
    const paths = [dir, ...(await entriesOf(dir))];
    if (await isOlder({ paths, ageMs: LEFT_AFTER_MS })) await removeQuietly(dir);
  }
}

const entriesOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch((): string[] => [])).map((name) => join(dir, name));

/** True when none was changed within the last `ageMs`; false where one has gone meanwhile. */
async function isOlder({ paths, ageMs }: { paths: readonly string[]; ageMs: number }): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return found.every((each) => each !== null && Date.now() - each.mtimeMs > ageMs);
}

/** One that cannot be removed is no reason to keep the others. */
const removeQuietly = (dir: string): Promise<void> => removeTree({ dir }).catch(() => undefined);
