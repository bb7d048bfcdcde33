import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Momentum } from '../core/failure-memory.js';
import { type MiningTask, mine } from './mining.js';

/** What goes to the thread. */
export interface MiningRequest {
  readonly id: number;
  readonly task: MiningTask;
}

/** What comes back. */
export type MiningAnswer =
  | { readonly id: number; readonly momentum: Momentum }
  | { readonly id: number; readonly failure: string };

/** A thread that mines, started with the first task. */
export interface MiningHost {
  /** Fails where the thread fails or ends, or has not answered in time; the next task gets a new thread. */
  readonly mine: (task: MiningTask) => Promise<Momentum>;
  /** Ends the thread as soon as it has answered what it was asked. */
  readonly end: () => void;
}

interface Running {
  readonly thread: Worker;
  readonly waiting: Map<number, { resolve: (momentum: Momentum) => void; reject: (error: Error) => void }>;
  ending: boolean;
}

// A memory is mined in some ten milliseconds, and an activity has five minutes.
const TIMEOUT_MS = 120_000;

/**
 * One thread for all tasks: a fresh one would load the parser and the tokenizer each time, and parse the whole memory
 * anew. It holds no process open while it has nothing to do.
 */
export function createMiningHost({
  script,
  execArgv,
  timeoutMs = TIMEOUT_MS,
}: {
  script: URL;
  execArgv?: string[];
  timeoutMs?: number;
}): MiningHost {
  let running: Running | undefined;
  let lastId = 0;

  const drop = (which: Running, error: Error): void => {
    if (running === which) running = undefined;
    for (const { reject } of which.waiting.values()) reject(error);
    which.waiting.clear();
  };
  const start = (): Running => {
    const thread = new Worker(script, execArgv === undefined ? {} : { execArgv });
    const started: Running = { thread, waiting: new Map(), ending: false };
    thread.on('message', (answer: MiningAnswer) => {
      const asked = started.waiting.get(answer.id);
      if ('momentum' in answer) asked?.resolve(answer.momentum);
      else asked?.reject(new Error(`Mining failed: ${answer.failure}`));
    });
    thread.on('error', (error) => drop(started, error instanceof Error ? error : new Error(String(error))));
    thread.on('exit', (code) => drop(started, new Error(`The mining thread ended with ${code} before it answered.`)));
    return started;
  };
  const stop = (which: Running, error: Error): void => {
    drop(which, error);
    which.thread.terminate().catch(() => undefined);
  };
  const rest = (which: Running): void => {
    if (which.ending) stop(which, new Error('The mining thread was ended.'));
    else which.thread.unref();
  };

  return {
    mine: async (task) => {
      running ??= start();
      const { thread, waiting } = running;
      const current = running;
      lastId += 1;
      const id = lastId;
      const late = setTimeout(
        () => stop(current, new Error(`The mining thread did not answer within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      thread.ref();
      try {
        return await new Promise<Momentum>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          thread.postMessage({ id, task } satisfies MiningRequest);
        });
      } finally {
        clearTimeout(late);
        waiting.delete(id);
        if (waiting.size === 0) rest(current);
      }
    },
    end: () => {
      if (running === undefined) return;
      running.ending = true;
      if (running.waiting.size === 0) rest(running);
      running = undefined;
    },
  };
}

const THREAD = new URL('./mining-thread.js', import.meta.url);

let shared: MiningHost | undefined;

/**
 * Mines in the one thread of this process, so that a long memory blocks no heartbeat; `stopping` ends the thread. Where
 * the code runs from TypeScript sources there is no script for a thread, and the caller's is used.
 */
export function mineOffThread({ task, stopping }: { task: MiningTask; stopping: AbortSignal }): Promise<Momentum> {
  if (!existsSync(fileURLToPath(THREAD))) return mine(task);
  if (shared === undefined) {
    const host = createMiningHost({ script: THREAD });
    shared = host;
    stopping.addEventListener('abort', () => host.end(), { once: true });
  }
  return shared.mine(task);
}
