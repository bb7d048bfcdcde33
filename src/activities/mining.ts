import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FailedSuite, FailedUpdate, Momentum } from '../core/failure-memory.js';
import { momentumOf } from '../core/momentum/momentum.js';
import { countTokens } from '../llm/tokens.js';
import { statementSequences } from '../source/statements.js';

/** What the miner is given; plain data, because it crosses a thread. */
export interface MiningTask {
  readonly memory: readonly FailedUpdate[];
  readonly minSupport: number;
  /** Pieces of the repository's testing knowledge that no failed update used, best first. */
  readonly steer: readonly string[];
}

const THREAD = new URL('./mining-thread.js', import.meta.url);

/**
 * Mines in a thread of its own, so that a long memory blocks no heartbeat. Where the code runs from TypeScript sources
 * there is no script for a thread, and the caller's is used.
 */
export function mineOffThread(task: MiningTask): Promise<Momentum> {
  if (!existsSync(fileURLToPath(THREAD))) return mine(task);
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: task });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The mining thread ended with ${code} before it answered.`)));
  });
}

/** Parses the failed updates into statements and mines them. */
export async function mine({ memory, minSupport, steer }: MiningTask): Promise<Momentum> {
  return momentumOf({
    memory,
    suites: await suitesOf({ memory, abstractLiterals: false }),
    abstractedSuites: await suitesOf({ memory, abstractLiterals: true }),
    minSupport,
    steer,
    countTokens,
  });
}

async function suitesOf({
  memory,
  abstractLiterals,
}: {
  memory: readonly FailedUpdate[];
  abstractLiterals: boolean;
}): Promise<FailedSuite[]> {
  return Promise.all(
    memory.map(async ({ step, tests }) => {
      const functions = await Promise.all(tests.map(({ source }) => statementSequences({ source, abstractLiterals })));
      return { step, functions: functions.flat() };
    }),
  );
}
