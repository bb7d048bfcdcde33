import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeDockerd, startDockerd } from '../../scripts/dockerd.mjs';
import { processesOf } from '../support/processes.js';
import { oneAtATime, persevere } from './persevere.js';
import type { Killable } from './scene.js';

/** A Docker daemon with its data in a folder; a killed one comes back on the same data and socket. */
export interface ChaosDaemon extends Killable {
  /** For DOCKER_HOST. */
  readonly host: string;
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>;
}

/** Starts a daemon in `dir`. */
export async function startChaosDaemon({ dir }: { dir: string }): Promise<ChaosDaemon> {
  let daemon = await startDockerd({ dir });
  const turns = oneAtATime();
  const killOnce = async (downMs: number): Promise<void> => {
    // What it started dies with it a moment later: one that starts in that moment takes it for alive, and gives up.
    const containerd = Number(await readFile(join(dir, 'exec', 'containerd', 'containerd.pid'), 'utf8'));
    process.kill(daemon.pid, 'SIGKILL');
    for (const pid of [daemon.pid, containerd]) while (existsSync(`/proc/${pid}`)) await sleep(20);
    await sleep(downMs);
    daemon = await persevere(() => startDockerd({ dir }));
  };
  return {
    host: daemon.host,
    kill: ({ downMs }) => turns.next(() => killOnce(downMs)),
    stop: async () => {
      await turns.idle();
      await daemon.stop();
      // What watched over containers of a daemon that was killed.
      for (const pid of processesOf(dir)) process.kill(pid, 'SIGKILL');
      removeDockerd({ dir });
    },
  };
}
