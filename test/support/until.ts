import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `done` holds; throws with `what` when it does not within `withinMs`, by default two minutes. */
export async function until({
  what,
  done,
  withinMs = 120_000,
}: {
  what: string;
  done: () => boolean | Promise<boolean>;
  withinMs?: number;
}): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(20);
  }
}
