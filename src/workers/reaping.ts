import type { Logger } from 'pino';

const REAP_EVERY_MS = 5 * 60_000;
// Orphans share the machine with the first activities only when looking for them takes this long.
const FIRST_WAIT_MS = 15_000;

/**
 * Calls `reap` now and every five minutes, never twice at once; its errors are logged and otherwise without effect.
 * `first` resolves when the first call has ended, after 15 seconds at the latest.
 */
export function repeatReaping({ reap, logger }: { reap: (() => Promise<unknown>) | undefined; logger: Logger }): {
  readonly first: Promise<void>;
  readonly end: () => void;
} {
  if (reap === undefined) return { first: Promise.resolve(), end: () => undefined };
  let busy = false;
  const once = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      await reap();
    } catch (err) {
      logger.warn({ err }, 'looking for orphans failed');
    } finally {
      busy = false;
    }
  };
  let giveUp: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    giveUp = setTimeout(resolve, FIRST_WAIT_MS);
  });
  const first = Promise.race([once(), limit]).finally(() => clearTimeout(giveUp));
  const timer = setInterval(() => void once(), REAP_EVERY_MS);
  timer.unref();
  return { first, end: () => clearInterval(timer) };
}
