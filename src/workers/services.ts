import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedTrees } from '../activities/kept-tree.js';
import type { Services } from '../activities/services.js';
import { TREES_FOLDER } from '../activities/workspace.js';
import { createFileStore } from '../artifacts/file-store.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { ChatModel } from '../llm/chat.js';
import { createModelFromEnvironment } from '../llm/model-from-environment.js';
import { reapOrphans } from '../sandbox/reaper.js';
import { removeTree } from '../sandbox/remove-tree.js';

/**
 * The services of a worker process: the store in the state folder, and the model that the process's own environment
 * names. Keys stay in that environment; nothing here is written down.
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
    store: createFileStore({ dir: join(home, STATE_FOLDERS.store) }),
    model: async () => {
      model ??= createModelFromEnvironment({ env });
      return model;
    },
    priceOverride: env.TESTGRAD_PRICE,
  };
}

// A tree that is being made this long belongs to a process that was killed.
const ABANDONED_AFTER_MS = 3_600_000;

/** Ends what dead workers left on this host: sandbox processes, and trees that were never finished. */
export async function reapHost({ home }: { home: string }): Promise<void> {
  await reapOrphans();
  for (const dir of await unfinishedTrees(join(home, STATE_FOLDERS.work, TREES_FOLDER))) {
    const found = await stat(dir).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs <= ABANDONED_AFTER_MS) continue;
    // One that cannot be removed is no reason to keep the others.
    await removeTree({ dir }).catch(() => undefined);
  }
}
