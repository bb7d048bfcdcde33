import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type { InstanceActivities } from '../activities/contract.js';
import { QUEUE_OF, queueName } from '../core/queues.js';

const MINUTE_MS = 60_000;
const RETRY = { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 2 * MINUTE_MS };

/**
 * How many workers may die over one piece of work. Errors that hardly mend themselves are given up sooner, which the
 * worker says; not those of the last activities, whose work must not be lost.
 */
const CRASHES = 20;

// Work of a dead worker is taken over within half a minute; shorter ones misfire when an event loop is busy.
const HEARTBEAT_MS = 30_000;

/** One LLM call. A reasoning model's answer takes minutes; 12 attempts at up to two minutes outlast a short outage. */
const LLM_CALL: ActivityOptions = {
  startToCloseTimeout: 20 * MINUTE_MS,
  heartbeatTimeout: HEARTBEAT_MS,
  retry: { ...RETRY, maximumAttempts: 12 },
};

/** A few files, one search or one matrix: seconds. */
const SMALL_WORK: ActivityOptions = {
  startToCloseTimeout: 5 * MINUTE_MS,
  heartbeatTimeout: HEARTBEAT_MS,
  retry: { ...RETRY, maximumAttempts: CRASHES },
};

/** One program on a tree that may have to be made first. */
const ONE_PROGRAM: ActivityOptions = {
  startToCloseTimeout: 30 * MINUTE_MS,
  heartbeatTimeout: HEARTBEAT_MS,
  retry: { ...RETRY, maximumAttempts: CRASHES },
};

/**
 * Timeouts and retries of every activity, each with its reason.
 *
 * None has unlimited attempts: an oversize payload or a defect would retry for ever. Errors that no repetition mends
 * arrive from the worker as non-retryable.
 */
const OPTIONS: Readonly<Record<keyof InstanceActivities, ActivityOptions>> = {
  // Unpacks the base, applies N patches and runs the base's tests once: minutes on a large repository.
  prepareInstance: {
    startToCloseTimeout: 60 * MINUTE_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { ...RETRY, maximumAttempts: CRASHES },
  },
  // Each test file has a limit of its own; this bounds a dozen that all reach it. Finished files are in the store,
  // so a repetition goes on behind them.
  executeSuite: {
    startToCloseTimeout: 120 * MINUTE_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { ...RETRY, maximumAttempts: CRASHES },
  },
  // Runs the files that an update reaches on the base; one that hangs is cut by the file's limit, and finished ones are
  // in the store.
  applyEdit: {
    startToCloseTimeout: 60 * MINUTE_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { ...RETRY, maximumAttempts: CRASHES },
  },
  optimizerTurn: LLM_CALL,
  askEnsemble: LLM_CALL,
  pruneTests: LLM_CALL,
  writeReproduction: LLM_CALL,
  selectorTurn: LLM_CALL,
  // One program in a sandbox: a script that hangs is cut by the limit of a test file, a command by two minutes.
  runReproduction: ONE_PROGRAM,
  selectorCall: ONE_PROGRAM,
  candidateKey: ONE_PROGRAM,
  scriptKeys: ONE_PROGRAM,
  regressionTests: SMALL_WORK,
  countRegressions: SMALL_WORK,
  judgeRows: LLM_CALL,
  checkerTurn: LLM_CALL,
  readRepository: SMALL_WORK,
  scoreSuite: SMALL_WORK,
  mineMomentum: SMALL_WORK,
  // A few are asked of the server; what fails is made good the next time.
  reconcileItems: SMALL_WORK,
  // Packs a repository's base; with an image it is pulled first.
  openItem: { ...ONE_PROGRAM, startToCloseTimeout: 60 * MINUTE_MS },
  finishInstance: SMALL_WORK,
  finishMethod: SMALL_WORK,
  releaseInstance: SMALL_WORK,
  // A thousand items are looked up in the store, and without its answer a whole benchmark ends.
  nextItems: SMALL_WORK,
  keepResult: SMALL_WORK,
  keepError: SMALL_WORK,
  finishBenchmark: {
    startToCloseTimeout: 30 * MINUTE_MS,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { ...RETRY, maximumAttempts: CRASHES },
  },
};

/** Calls one activity; `summary` is the line that Temporal's UI shows beside it. */
export type CallActivity = <Name extends keyof InstanceActivities>(call: {
  readonly activity: Name;
  readonly input: Parameters<InstanceActivities[Name]>[0];
  readonly summary: string;
}) => ReturnType<InstanceActivities[Name]>;

/** The way to call activities of a run whose workers poll `taskQueue` and its families. */
export function activityCaller({ taskQueue }: { taskQueue: string }): CallActivity {
  return ({ activity, input, summary }) => {
    const proxy = proxyActivities<InstanceActivities>({
      ...OPTIONS[activity],
      // Not the default: what clears up after a cancelled activity must not meet one that still works.
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      taskQueue: queueName({ taskQueue, family: QUEUE_OF[activity] }),
      summary: summary.slice(0, 120),
    });
    // The proxy's type loses the link between a name and its signature when the name is a variable.
    const run = proxy[activity] as unknown as (
      argument: typeof input,
    ) => ReturnType<InstanceActivities[typeof activity]>;
    return run(input);
  };
}
