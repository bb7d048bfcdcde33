import { setTimeout as wait } from 'node:timers/promises';
import { runInSandbox, type SandboxRequest, type SandboxResult } from '../sandbox/sandbox.js';

/** Containers in a row that are killed at their memory limit before the program itself is taken to be the reason. */
const TRIES = 3;
const PAUSE_MS = 2_000;

/**
 * Runs a program in a sandbox, and again where its container was killed for want of memory: the machine may have been
 * short of it. What is killed three times in a row ends as `overlimit`, which is the program's own doing; the limit is
 * a part of the environment, as the time limit is.
 */
export async function runWithinMemory(request: SandboxRequest): Promise<SandboxResult> {
  for (let run = 1; ; run += 1) {
    const result = await runInSandbox(request);
    const { exit } = result;
    if (exit.kind !== 'broken' || exit.infra !== 'memory') return result;
    if (run === TRIES) return { ...result, exit: { kind: 'overlimit', limit: 'memory' } };
    const { signal } = request;
    await wait(PAUSE_MS * run, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
  }
}
