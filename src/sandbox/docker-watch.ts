import type { Container } from './docker-container.js';
import { answerOf } from './docker-daemon.js';
import { signalName } from './launch.js';
import type { SandboxExit, SandboxLimits } from './types.js';

/** How often the number of processes is looked at. */
const COUNT_EVERY_MS = 500;

/** Resolves with why a running container has to be stopped; `ended` clears what waits for that. */
export function watchLimits({
  container,
  limits,
  signal,
}: {
  container: Container;
  limits: SandboxLimits;
  signal: AbortSignal | undefined;
}): { readonly reached: Promise<SandboxExit>; readonly end: () => void } {
  let stop: (exit: SandboxExit) => void = () => undefined;
  const reached = new Promise<SandboxExit>((resolve) => {
    stop = resolve;
  });
  const onAbort = (): void => stop({ kind: 'cancelled' });
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have been aborted while the container was prepared.
  if (signal?.aborted) onAbort();
  const timer = setTimeout(() => stop({ kind: 'timeout' }), limits.timeoutMs);
  const counter = setInterval(() => {
    void taskCount(container).then((tasks) => {
      if (tasks > limits.maxProcesses) stop({ kind: 'overlimit', limit: 'processes' });
    });
  }, COUNT_EVERY_MS);
  const end = (): void => {
    clearTimeout(timer);
    clearInterval(counter);
    signal?.removeEventListener('abort', onAbort);
  };
  return { reached, end };
}

/** Processes and threads in a container without its first process; 0 when that cannot be told. */
async function taskCount(container: Container): Promise<number> {
  try {
    const stats = await answerOf(container.stats({ stream: false, 'one-shot': true }), 10_000);
    return Math.max(0, (stats.pids_stats?.current ?? 0) - 1);
  } catch {
    return 0;
  }
}

/** The first process of a container passes on how the program ended, a signal as a shell does: 128 and its number. */
export function exitOfProgram(code: number): SandboxExit {
  const signal = signalName(code - 128);
  return signal === null ? { kind: 'exited', code } : { kind: 'signalled', signal };
}
