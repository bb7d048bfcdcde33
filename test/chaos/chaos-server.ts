import { setTimeout as sleep } from 'node:timers/promises';
import { connectClient } from '../../src/workers/connection.js';
import { startLocalServer } from '../../src/workers/local-server.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { identify } from '../../src/workers/process-identity.js';
import type { PlaceServer } from '../support/durable-place.js';
import { TEST_CACHE_DIR } from '../support/temporal-server.js';
import { oneAtATime } from './persevere.js';
import type { Killable } from './scene.js';

/** The product's local server with its database in a file; a killed one comes back on the same file and port. */
export interface ChaosServer extends PlaceServer, Killable {
  /** After a break calls may still wait for the server: their connection stays open until the process ends. */
  readonly stop: (how?: { readonly broken: boolean }) => Promise<void>;
}

/** Starts a server whose state folder is `home`. */
export async function startChaosServer({ home }: { home: string }): Promise<ChaosServer> {
  const up = () => startLocalServer({ home, cacheDir: TEST_CACHE_DIR, env: process.env, report: () => undefined });
  let server = await up();
  const { client, close } = await connectClient({ target: server.target });
  const turns = oneAtATime();
  const killOnce = async (downMs: number): Promise<void> => {
    process.kill(server.pid, 'SIGKILL');
    while ((await identify(server.pid)) !== null) await sleep(20);
    await sleep(downMs);
    const next = await up();
    if (next.target.address !== server.target.address) throw new Error('the server came back at another address');
    server = next;
  };
  return {
    target: server.target,
    env: { client },
    kill: ({ downMs }) => turns.next(() => killOnce(downMs)),
    stop: async ({ broken } = { broken: false }) => {
      await turns.idle();
      if (!broken) await close();
      await stopLocalStack({ home, workerGraceMs: 5_000 });
    },
  };
}
