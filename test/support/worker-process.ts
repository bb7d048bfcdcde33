import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './temporal-server.js';

const LOADER = fileURLToPath(new URL('./ts-source.mjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const BUILT_MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A `testgrad worker` in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** What it has written so far. */
  readonly log: () => string;
  /** Resolves when it has ended, with the signal that ended it. */
  readonly ended: Promise<string | null>;
  /** Ends it with SIGKILL, or as an operator does with SIGTERM; returns when it is gone. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

/**
 * Starts a worker for a queue of `server`, and returns when it polls: from source, or where many are started from what
 * `buildCli` made, which takes a third of the time.
 */
export async function spawnWorker({
  server,
  home,
  taskQueue,
  env,
  built = false,
}: {
  server: Pick<TestServer, 'target'>;
  home: string;
  taskQueue: string;
  env: Readonly<Record<string, string>>;
  built?: boolean;
}): Promise<WorkerProcess> {
  const main = built ? [BUILT_MAIN] : ['--import', LOADER, MAIN];
  const child = spawn(process.execPath, [...main, 'worker', '--task-queue', taskQueue], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: tmpdir(),
      TESTGRAD_HOME: home,
      TEMPORAL_ADDRESS: server.target.address,
      ...env,
    },
  });
  let log = '';
  const ended = once(child, 'exit').then(([, signal]) => signal as string | null);
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      if (log.includes('worker polls')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`the worker ended: ${log}`)));
    child.once('error', reject);
  });
  return {
    pid: child.pid ?? 0,
    log: () => log,
    ended,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
