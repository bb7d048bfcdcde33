import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/workers/local-server.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { identify } from '../../src/workers/process-identity.js';
import { TEST_CACHE_DIR } from './temporal-server.js';

/** A state folder for each test of a file; what a test leaves running in it is stopped. */
export function useStackHome(): { readonly home: () => string; readonly up: () => Promise<LocalServer> } {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'testgrad-stack-'));
  });
  afterEach(async () => {
    await stopLocalStack({ home, workerGraceMs: 2_000 });
    await rm(home, { recursive: true, force: true });
  });
  return {
    home: () => home,
    up: () => startLocalServer({ home, cacheDir: TEST_CACHE_DIR, env: process.env, report: () => undefined }),
  };
}

/** SIGKILL, and the wait until the process is gone. */
export async function killNow(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  while ((await identify(pid)) !== null) await sleep(20);
}
