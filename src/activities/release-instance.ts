import { join } from 'node:path';
import { STATE_FOLDERS } from '../core/state-folder.js';
import { removeContainersOf } from '../sandbox/docker-reaper.js';
import { killOwned } from '../sandbox/reaper.js';
import type { RunContext } from './contract.js';
import { discard } from './discard.js';
import type { Services } from './services.js';

/** Kills what is left of this state folder's sandboxes of the run on this host, and removes its throw-away copies. */
export async function releaseInstance({
  services,
  input,
}: {
  services: Services;
  input: RunContext;
}): Promise<{ readonly removed: number }> {
  const { killed } = await killOwned({ runId: input.runId, home: services.home });
  const { removed } = await removeContainersOf({ runId: input.runId, home: services.home });
  const folder = join(services.home, STATE_FOLDERS.work, 'runs', input.runId);
  services.workspaces.forget(folder);
  await discard(folder);
  return { removed: killed + removed };
}
