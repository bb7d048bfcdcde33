import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { QUEUE_FAMILIES, queueName } from '../core/queues.js';
import { TemporalError } from '../errors.js';
import { readBuildId } from './build-id.js';
import { connectClient, type ServerTarget } from './connection.js';
import { withFileLock } from './file-lock.js';
import { endProcess, identify, isAlive, type ProcessIdentity } from './process-identity.js';
import {
  openLog,
  readWorkerRecord,
  stackPaths,
  tailOf,
  type WorkerRecord,
  workerPaths,
  writeRecord,
} from './stack-files.js';

/** A worker process that polls its queues. */
export interface LocalWorker {
  readonly taskQueue: string;
  readonly pid: number;
  readonly logFile: string;
  /** `reused` when the one that was there is still right, `replaced` when it ran other code or settings. */
  readonly how: 'started' | 'reused' | 'replaced';
}

const START_TIMEOUT_MS = 60_000;
/** Longer than a worker waits for its activities on SIGTERM. */
export const WORKER_GRACE_MS = 65_000;

/**
 * Makes sure that a worker of this machine polls `taskQueue` and its families, and returns when it does.
 *
 * The worker is `node <mainFile> worker --task-queue <taskQueue>`, detached, with `env` as its whole environment, so
 * that it outlives the command that needed it. A worker is replaced when it runs another build, talks to another
 * server, or was given other settings (`OPENAI_*`, `TESTGRAD_*`, `AWS_*`); it gets SIGTERM and its activities go on in
 * the new one. With `keep` the code and the settings of the worker that is there are accepted. Paths in `env` must be
 * absolute: the worker runs in another folder.
 *
 * Throws TG-T06 when the process ends, TG-T02 when it does not poll within a minute.
 */
export async function ensureWorker({
  home,
  taskQueue,
  mainFile,
  target,
  env,
  keep,
  report,
}: {
  home: string;
  taskQueue: string;
  mainFile: string;
  target: ServerTarget;
  env: NodeJS.ProcessEnv;
  /** True for a queue whose settings are not the caller's to change. */
  keep: boolean;
  report: (line: string) => void;
}): Promise<LocalWorker> {
  const files = workerPaths({ home, taskQueue });
  await mkdir(stackPaths(home).workersDir, { recursive: true });
  const { connection, close } = await connectClient({ target });
  try {
    return await withFileLock({
      file: files.lock,
      timeoutMs: WORKER_GRACE_MS + START_TIMEOUT_MS,
      onTimeout: (pid) => notPolling({ taskQueue, logFile: files.log, log: `process ${pid ?? '?'} is starting it` }),
      work: async () => {
        const reuse = async (identity: WorkerRecord): Promise<LocalWorker> => {
          await waitUntilPolling({ connection, target, taskQueue, identity, logFile: files.log, logStart: 0 });
          return { taskQueue, pid: identity.pid, logFile: files.log, how: 'reused' };
        };
        const serving = await servingWorker({ home, taskQueue, target });
        if (keep && serving !== null) return reuse(serving);
        const wanted = {
          taskQueue,
          buildId: await readBuildId({ mainFile }),
          environment: settingsDigest(env),
          address: target.address,
          namespace: target.namespace,
        };
        if (serving?.buildId === wanted.buildId && serving.environment === wanted.environment) return reuse(serving);
        const previous = await readWorkerRecord(files.record);
        const running = previous !== null && (await isAlive(previous));
        report(running ? 'Replacing the worker, which runs other code or settings …' : 'Starting a worker …');
        if (running) await endProcess({ identity: previous, graceMs: WORKER_GRACE_MS });
        const pid = await startWorker({ home, mainFile, env, wanted, connection, target });
        return { taskQueue, pid, logFile: files.log, how: running ? 'replaced' : 'started' };
      },
    });
  } finally {
    await close();
  }
}

/** The worker of `taskQueue` that runs and talks to this server, or null. */
export async function servingWorker({
  home,
  taskQueue,
  target,
}: {
  home: string;
  taskQueue: string;
  target: ServerTarget;
}): Promise<WorkerRecord | null> {
  const record = await readWorkerRecord(workerPaths({ home, taskQueue }).record);
  if (record === null || record.address !== target.address || record.namespace !== target.namespace) return null;
  return (await isAlive(record)) ? record : null;
}

/** temporal.api.enums.v1.TaskQueueType. */
const TASK_QUEUE_TYPE = { workflow: 1, activity: 2 } as const;

type WantedWorker = Omit<WorkerRecord, keyof ProcessIdentity>;

async function startWorker({
  home,
  mainFile,
  env,
  wanted,
  connection,
  target,
}: {
  home: string;
  mainFile: string;
  env: NodeJS.ProcessEnv;
  wanted: WantedWorker;
  connection: Connection;
  target: ServerTarget;
}): Promise<number> {
  const { taskQueue } = wanted;
  const files = workerPaths({ home, taskQueue });
  const log = await openLog(files.log);
  const logStart = (await log.stat()).size;
  const child = spawn(process.execPath, [mainFile, 'worker', '--task-queue', taskQueue], {
    // The folder of the command that needed it may be gone while the worker still runs.
    cwd: stackPaths(home).dir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env,
  });
  const spawned = new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  const identity = (await spawned) && child.pid !== undefined ? await identify(child.pid) : null;
  await log.close();
  child.unref();
  if (identity === null) throw await ended({ taskQueue, logFile: files.log, logStart });
  await writeRecord({ file: files.record, record: { ...identity, ...wanted } });
  await waitUntilPolling({ connection, target, taskQueue, identity, logFile: files.log, logStart });
  return identity.pid;
}

/** The server lists pollers for minutes after they are gone, so only those of this very process count. */
async function waitUntilPolling({
  connection,
  target,
  taskQueue,
  identity,
  logFile,
  logStart,
}: {
  connection: Connection;
  target: ServerTarget;
  taskQueue: string;
  identity: ProcessIdentity;
  logFile: string;
  logStart: number;
}): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if (await pollsAll({ connection, namespace: target.namespace, taskQueue, pid: identity.pid })) return;
    if (!(await isAlive(identity))) throw await ended({ taskQueue, logFile, logStart });
    if (performance.now() >= deadline) {
      const log = await tailOf({ file: logFile, fromByte: logStart, maxLines: 15 });
      throw notPolling({ taskQueue, logFile, log });
    }
    await sleep(100);
  }
}

async function pollsAll({
  connection,
  namespace,
  taskQueue,
  pid,
}: {
  connection: Connection;
  namespace: string;
  taskQueue: string;
  pid: number;
}): Promise<boolean> {
  const queues = [
    { name: taskQueue, type: TASK_QUEUE_TYPE.workflow },
    ...QUEUE_FAMILIES.map((family) => ({ name: queueName({ taskQueue, family }), type: TASK_QUEUE_TYPE.activity })),
  ];
  const polled = await Promise.all(
    queues.map(async ({ name, type }) => {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: type,
      });
      return (pollers ?? []).some((poller) => poller.identity?.startsWith(`${pid}@`) === true);
    }),
  );
  return polled.every(Boolean);
}

/** A digest, so that the record holds no key; the order of variables does not matter. */
function settingsDigest(env: NodeJS.ProcessEnv): string {
  const settings = Object.entries(env)
    .filter(([name, value]) => /^(OPENAI|TESTGRAD|AWS)_/.test(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

async function ended({
  taskQueue,
  logFile,
  logStart,
}: {
  taskQueue: string;
  logFile: string;
  logStart: number;
}): Promise<TemporalError> {
  const log = await tailOf({ file: logFile, fromByte: logStart, maxLines: 15 });
  return new TemporalError({
    code: 'TG-T06',
    what: `The worker for queue "${taskQueue}" ended while it was starting.`,
    meaning: 'Runs that were started wait for a worker; nothing is lost.',
    fix: `See ${logFile}\n${log}`.trimEnd(),
  });
}

function notPolling({ taskQueue, logFile, log }: { taskQueue: string; logFile: string; log: string }): TemporalError {
  return new TemporalError({
    code: 'TG-T02',
    what: `No worker polls queue "${taskQueue}" (waited ${START_TIMEOUT_MS / 1000} s).`,
    meaning: 'Runs that were started wait for a worker; nothing is lost.',
    fix: `Start one in a terminal: testgrad worker --task-queue ${taskQueue}. See ${logFile}\n${log}`.trimEnd(),
  });
}
