import { TemporalError } from '../errors.js';
import { withFileLock } from './file-lock.js';
import { answeringServer, SERVER_GRACE_MS, targetOf } from './local-server.js';
import { WORKER_GRACE_MS } from './local-worker.js';
import { endProcess, isAlive, type ProcessIdentity } from './process-identity.js';
import { listWorkerRecords, readServerRecord, removeRecord, stackPaths, workerPaths } from './stack-files.js';

/** What of the local stack runs now. */
export interface StackStatus {
  /** `silent`: the process is there and does not answer. Null when it was never started. */
  readonly server: {
    readonly state: 'running' | 'silent' | 'stopped';
    readonly pid: number;
    readonly address: string;
    readonly uiUrl: string;
    readonly version: string;
  } | null;
  readonly workers: readonly {
    readonly state: 'running' | 'stopped';
    readonly taskQueue: string;
    readonly pid: number;
    readonly buildId: string;
    readonly logFile: string;
  }[];
}

/** Looks at the local stack of `<home>` without changing anything. */
export async function stackStatus({ home }: { home: string }): Promise<StackStatus> {
  const record = await readServerRecord(home);
  const workers = (await listWorkerRecords(home)).map(async (worker) => ({
    state: (await isAlive(worker)) ? ('running' as const) : ('stopped' as const),
    taskQueue: worker.taskQueue,
    pid: worker.pid,
    buildId: worker.buildId,
    logFile: workerPaths({ home, taskQueue: worker.taskQueue }).log,
  }));
  if (record === null) return { server: null, workers: await Promise.all(workers) };
  const { pid, port, uiPort, version } = record;
  const alive = await isAlive(record);
  const state = !alive ? 'stopped' : (await answeringServer(home)) === null ? 'silent' : 'running';
  return {
    server: { state, pid, address: targetOf({ port }).address, uiUrl: `http://127.0.0.1:${uiPort}`, version },
    workers: await Promise.all(workers),
  };
}

/** How many processes {@link stopLocalStack} ended. */
export interface StoppedStack {
  readonly workers: number;
  readonly server: boolean;
}

/**
 * Stops the workers of `<home>` (each gets `workerGraceMs` for what it is doing, default 65 seconds, then SIGKILL), then
 * the server. Only processes that this stack started are touched. What they were doing goes on with the next start.
 *
 * Throws TG-T06 when a process does not end.
 */
export async function stopLocalStack({
  home,
  workerGraceMs = WORKER_GRACE_MS,
  report = () => undefined,
}: {
  home: string;
  workerGraceMs?: number;
  report?: (line: string) => void;
}): Promise<StoppedStack> {
  const paths = stackPaths(home);
  // The server's lock also keeps `testgrad up` from starting one while the old one ends.
  if ((await readServerRecord(home)) === null && (await listWorkerRecords(home)).length === 0) {
    return { workers: 0, server: false };
  }
  return withFileLock({
    file: paths.serverLock,
    timeoutMs: 90_000,
    onTimeout: (pid) => doesNotEnd({ name: `process ${pid ?? '?'}, which is starting the server,` }),
    work: async () => {
      const workers = await Promise.all(
        (await listWorkerRecords(home)).map(({ taskQueue, ...identity }) =>
          stopRecorded({
            identity,
            name: `the worker of queue "${taskQueue}"`,
            recordFile: workerPaths({ home, taskQueue }).record,
            graceMs: workerGraceMs,
            report,
          }),
        ),
      );
      const record = await readServerRecord(home);
      const server =
        record !== null &&
        (await stopRecorded({
          identity: record,
          name: 'the Temporal server',
          recordFile: null,
          graceMs: SERVER_GRACE_MS,
          report,
        }));
      return { workers: workers.filter(Boolean).length, server };
    },
  });
}

/** Returns true when there was something to stop. The server's record stays, because it names the ports to use again. */
async function stopRecorded({
  identity,
  name,
  recordFile,
  graceMs,
  report,
}: {
  identity: ProcessIdentity;
  name: string;
  recordFile: string | null;
  graceMs: number;
  report: (line: string) => void;
}): Promise<boolean> {
  const wasAlive = await isAlive(identity);
  if (wasAlive) {
    report(`Stopping ${name} …`);
    if (!(await endProcess({ identity, graceMs }))) throw doesNotEnd({ name: `${name} (process ${identity.pid})` });
  }
  if (recordFile !== null) await removeRecord(recordFile);
  return wasAlive;
}

function doesNotEnd({ name }: { name: string }): TemporalError {
  return new TemporalError({
    code: 'TG-T06',
    what: `The local stack does not stop: ${name} does not end.`,
    meaning: 'It may wait for a disk that does not answer.',
    fix: 'Try again: testgrad down. If it stays, end that process by its number.',
  });
}
