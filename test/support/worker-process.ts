import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './temporal-server.js';

const LOADER = fileURLToPath(new URL('./ts-source.mjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** A `testgrad worker` in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** Ends it with SIGKILL, or as an operator does with SIGTERM; returns when it is gone. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

/** Starts a worker from source for a queue of `server`, and returns when it polls. */
export async function spawnWorker({
  server,
  home,
  taskQueue,
  env,
}: {
  server: TestServer;
  home: string;
  taskQueue: string;
  env: Readonly<Record<string, string>>;
}): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['--import', LOADER, MAIN, 'worker', '--task-queue', taskQueue], {
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
  const exited = once(child, 'exit');
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
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}
