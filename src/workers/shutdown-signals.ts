import type { Logger } from 'pino';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Calls `stop` at the first SIGTERM or SIGINT; the second ends the process with the usual code (128 + number).
 * Returns the function that stops listening.
 */
export function listenForSignals({ stop, logger }: { stop: (reason: string) => void; logger: Logger }): () => void {
  let seen = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    seen += 1;
    if (seen === 1) {
      stop(signal);
      return;
    }
    logger.warn({ signal }, 'worker ends at once');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
