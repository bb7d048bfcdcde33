import { availableParallelism } from 'node:os';
import type { NativeConnection, Worker, WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { QUEUE_FAMILIES, QUEUE_OF, type QueuedActivity, type QueueFamily, queueName } from '../core/queues.js';
import { secretsIn } from './activity-failure.js';
import { activityInterceptor, HEARTBEAT_EVERY_MS } from './activity-interceptor.js';
import { connectWorker, type ServerTarget } from './connection.js';
import { repeatReaping } from './reaping.js';
import { listenForSignals } from './shutdown-signals.js';

/** Implementations of all activities; each goes to the queue of its family. */
export type Activities = { readonly [Name in QueuedActivity]: (input: never) => Promise<unknown> };

/** What a worker process needs. */
export interface RunWorkerInput {
  readonly target: ServerTarget;
  readonly taskQueue: string;
  readonly activities: Activities;
  /** Aborted at the first sign of shutdown, before activities are cancelled; give its signal to the activities. */
  readonly stopping: AbortController;
  readonly logger: Logger;
  /** Activities at once, a family; default: `sandbox` one a core, `mining` 1, `llm` 8, `flow` 10. */
  readonly slots?: Partial<Readonly<Record<QueueFamily, number>>>;
  /** Ends what dead owners left on this host; called at the start and every five minutes. */
  readonly reap?: () => Promise<unknown>;
  /** Ends the worker like SIGTERM does. */
  readonly shutdown?: AbortSignal;
  /** Whether SIGTERM and SIGINT end the worker; default true. A second one ends the process at once. */
  readonly handleSignals?: boolean;
  readonly onReady?: () => void;
}

// Long enough for a test file to end and to be recorded; then activities are told to stop, and after the second
// limit the process ends without them.
const SHUTDOWN_GRACE_MS = 30_000;
const SHUTDOWN_FORCE_MS = 60_000;

/**
 * Polls the task queue and its families in this process until it is told to stop; returns when all activities have
 * ended. Throws TG-T01 when the server cannot be reached at the start.
 */
export async function runWorker(input: RunWorkerInput): Promise<void> {
  const { target, taskQueue, stopping, logger } = input;
  const { installRuntime } = await import('./worker-logger.js');
  installRuntime(logger);
  const connection = await connectWorker({ target });
  const reaping = repeatReaping({ reap: input.reap, logger });
  const workers: Worker[] = [];
  const stop = (reason: string): void => {
    if (stopping.signal.aborted) return;
    logger.info({ reason }, 'worker stops');
    stopping.abort(new Error(`The worker stops (${reason}).`));
    shutdownRunning(workers);
  };
  const unlisten = input.handleSignals === false ? () => undefined : listenForSignals({ stop, logger });
  const onShutdown = (): void => stop('asked to');
  input.shutdown?.addEventListener('abort', onShutdown);
  try {
    await reaping.first;
    const { workflowCode } = await import('./workflow-code.js');
    const workflowBundle = await workflowCode();
    for (const family of QUEUE_FAMILIES) {
      workers.push(await createFamilyWorker({ input, family, connection, workflowBundle }));
    }
    if (input.shutdown?.aborted === true) stop('asked to');
    const runs = workers.map((worker) => runOne({ worker, stop }));
    // A worker that does not run yet cannot be shut down, so a stop that came during creation is made good here.
    if (stopping.signal.aborted) shutdownRunning(workers);
    logger.info({ taskQueue, address: target.address, namespace: target.namespace }, 'worker polls');
    input.onReady?.();
    const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    input.shutdown?.removeEventListener('abort', onShutdown);
    unlisten();
    reaping.end();
    // Refused while a worker that was created but never ran holds it; the process ends with an error then anyway.
    await connection.close().catch((err: unknown) => logger.debug({ err }, 'connection stays open'));
  }
  logger.info({ taskQueue }, 'worker stopped');
}

function shutdownRunning(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** One that breaks takes the others with it: a process that polls half of its queues stalls runs unnoticed. */
async function runOne({ worker, stop }: { worker: Worker; stop: (reason: string) => void }): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    stop('a worker of this process failed');
    throw error;
  }
}

async function createFamilyWorker({
  input,
  family,
  connection,
  workflowBundle,
}: {
  input: RunWorkerInput;
  family: QueueFamily;
  connection: NativeConnection;
  workflowBundle: WorkflowBundleOption;
}): Promise<Worker> {
  const { Worker } = await import('@temporalio/worker');
  const slots = { flow: 10, sandbox: availableParallelism(), mining: 1, llm: 8, ...input.slots };
  const own = Object.entries(input.activities).filter(([name]) => QUEUE_OF[name as QueuedActivity] === family);
  const options: WorkerOptions = {
    connection,
    namespace: input.target.namespace,
    taskQueue: queueName({ taskQueue: input.taskQueue, family }),
    activities: Object.fromEntries(own),
    maxConcurrentActivityTaskExecutions: slots[family],
    // Heartbeats are held back for most of the heartbeat timeout by default, and cancellation with them.
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
    shutdownGraceTime: SHUTDOWN_GRACE_MS,
    shutdownForceTime: SHUTDOWN_FORCE_MS,
    interceptors: {
      activity: [activityInterceptor({ stopping: input.stopping.signal, secrets: secretsIn(process.env) })],
    },
  };
  if (family !== 'flow') return Worker.create(options);
  return Worker.create({
    ...options,
    workflowBundle,
    maxConcurrentWorkflowTaskExecutions: 10,
    // The default grows with the heap until the process dies of it.
    maxCachedWorkflows: 50,
  });
}
