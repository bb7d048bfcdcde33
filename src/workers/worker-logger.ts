import { Runtime, type RuntimeOptions } from '@temporalio/worker';
import { destination, type Level, type Logger, pino } from 'pino';

/** Log of a worker: JSON lines on stderr, because stdout belongs to results. `level` defaults to `info`. */
export function createWorkerLogger({ level = 'info' }: { level?: Level | 'silent' } = {}): Logger {
  return pino({ level, base: { pid: process.pid } }, destination({ fd: 2, sync: true }));
}

/**
 * Makes the SDK log through `logger` and leaves the handling of signals to us. Does nothing when the process already
 * has a runtime, as in tests that started a server.
 */
export function installRuntime(logger: Logger): void {
  const write =
    (level: Level) =>
    (message: string, meta?: Record<string | symbol, unknown>): void =>
      logger[ROUTINE.test(message) ? 'debug' : level](loggable(meta), message);
  const adapter: RuntimeOptions['logger'] = {
    log: (level, message, meta) => write(level.toLowerCase() as Level)(message, meta),
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  if (Runtime._instance !== undefined) return;
  Runtime.install({
    logger: adapter,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

/** What the SDK reports, some of it as warnings, each time workers start and stop as they should. */
const ROUTINE = /^(Worker state changed|No workflows registered|No Nexus services registered)/;

/** Task tokens are long, opaque and of use to no reader; errors stand under the key that pino serialises. */
function loggable(meta: Record<string | symbol, unknown> = {}): Record<string, unknown> {
  const { taskToken: _, error, ...rest } = meta;
  return error === undefined ? rest : { ...rest, err: error };
}
