import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 120_000;

/** Tries until it can be done: in between there is no server, or no Docker daemon. Rejects after two minutes. */
export async function persevere<T>(attempt: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await sleep(500);
    }
  }
}

/** Does things one after the other; `idle` resolves when none is being done, however the last one ended. */
export function oneAtATime(): {
  readonly next: (work: () => Promise<void>) => Promise<void>;
  readonly idle: () => Promise<void>;
} {
  let turn: Promise<void> = Promise.resolve();
  return {
    next: (work) => {
      turn = turn.then(work);
      return turn;
    },
    idle: () => turn.catch(() => undefined),
  };
}
