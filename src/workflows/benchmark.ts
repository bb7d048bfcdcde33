import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ItemToStart } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import { itemWorkflowId } from '../core/benchmark-ids.js';
import { type BenchmarkBudget, type BenchmarkProgress, EMPTY_TALLY, roomIn } from '../core/benchmark-progress.js';
import type { BenchmarkEnd } from '../core/benchmark-result.js';
import { activityCaller } from './activities.js';
import { type BenchmarkBoard, benchmarkBoard } from './benchmark-board.js';
import type { ItemEnded } from './benchmark-messages.js';
import { reconcileRunning } from './benchmark-reconcile.js';
import { startItem } from './benchmark-start.js';

export interface BenchmarkInput {
  readonly runId: string;
  /** A BenchmarkPlan. */
  readonly plan: ArtifactRef;
  /** Items of the plan. */
  readonly items: number;
  /** 0, then one more for each time that errors are to be run again. */
  readonly attempt: number;
  /** Items in work at a time. */
  readonly width: number;
  readonly budget: BenchmarkBudget;
  readonly taskQueue: string;
  /** False where the namespace lacks the search attributes. */
  readonly upsertSearchAttributes: boolean;
  /** How often items are looked for whose end was not told; default 5 minutes. */
  readonly reconcileEveryMs?: number;
  /** Events after which the history is continued as new; default 2,000. */
  readonly maxEvents?: number;
  /** What was known when the history was continued as new. */
  readonly carried?: {
    readonly queue: readonly ItemToStart[];
    readonly next: number | null;
    readonly progress: BenchmarkProgress;
    readonly inbox: readonly ItemEnded[];
  };
}

const RECONCILE_EVERY_MS = 5 * 60_000;
/** The server suggests it at 4,096, and ends a workflow at 51,200. */
const MAX_EVENTS = 2_000;
/** Items that are fetched at a time. */
const PAGE = 50;
/** How long a cancelled benchmark waits for its items to clear up. */
const CANCEL_WAIT_MS = 90_000;

/**
 * Runs the items of a plan, some at a time, each as a child workflow that outlives a history continued as new and tells its
 * end by a signal. The store says what is done: an item that has a result, or an error of this attempt, is not begun.
 */
export async function benchmark(input: BenchmarkInput): Promise<BenchmarkEnd> {
  const { runId, plan, attempt } = input;
  const call = activityCaller({ taskQueue: input.taskQueue });
  const board = benchmarkBoard({ start: input.carried?.progress ?? atStart(input), inbox: input.carried?.inbox ?? [] });
  let queue = [...(input.carried?.queue ?? [])];
  let next = input.carried === undefined ? 0 : input.carried.next;
  const lost = everySoOften(input.reconcileEveryMs ?? RECONCILE_EVERY_MS);
  try {
    for (;;) {
      board.takeInbox();
      if (historyIsLong(input)) {
        await condition(allHandlersFinished);
        const carried = { queue, next, progress: board.current(), inbox: board.inbox() };
        await continueAsNew<typeof benchmark>({ ...input, carried });
      }
      const { running, spent } = board.current();
      const room = roomIn({ progress: board.current() });
      if (room > 0 && queue.length === 0 && next !== null) {
        const page = await call({
          activity: 'nextItems',
          input: { plan, from: next, attempt, want: PAGE },
          summary: `items from ${next + 1}`,
        });
        board.addKnown(page.known);
        [queue, next] = [[...page.items], page.next];
      } else if (room > 0 && queue.length > 0) {
        await Promise.all(queue.splice(0, room).map((item) => startItem({ input, board, item, restarts: 0 })));
      } else if (running.length === 0 && (spent || (queue.length === 0 && next === null))) {
        break;
      } else if (lost.isDue()) {
        lost.wasDone();
        if (running.length > 0) await lookForLost({ input, board, call });
      } else {
        const seen = board.wishes();
        await condition(() => board.inbox().length > 0 || board.wishes() !== seen || lost.isDue());
      }
    }
    const end = await call({
      activity: 'finishBenchmark',
      input: { runId, plan, attempt },
      summary: 'put expected and finished items side by side',
    });
    await condition(allHandlersFinished);
    return end;
  } catch (error) {
    if (isCancellation(error)) await cancelItems(board);
    throw error;
  } finally {
    lost.end();
  }
}

/** What cannot be asked now is asked the next time: no item hangs on it, and a benchmark even less. */
async function lookForLost(looking: Parameters<typeof reconcileRunning>[0]): Promise<void> {
  try {
    await reconcileRunning(looking);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('Items in work could not be looked for; that is tried again.', { error });
  }
}

function atStart({ items, width, budget }: BenchmarkInput): BenchmarkProgress {
  return {
    items,
    tally: EMPTY_TALLY,
    knownBefore: 0,
    running: [],
    failed: [],
    width,
    paused: false,
    spent: false,
    budget,
    startedMs: Date.now(),
    timed: { items: 0, wallMs: 0 },
  };
}

function historyIsLong({ maxEvents = MAX_EVENTS }: BenchmarkInput): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= maxEvents;
}

/** A timer that goes round; one for all waits, so that waiting costs no events. */
function everySoOften(everyMs: number): { isDue: () => boolean; wasDone: () => void; end: () => void } {
  let due = false;
  const scope = new CancellationScope({ cancellable: true });
  const round = scope.run(async () => {
    for (;;) {
      await sleep(everyMs, { summary: 'look for items whose end was not told' });
      due = true;
    }
  });
  // It only ends by being cancelled.
  round.catch(() => undefined);
  return {
    isDue: () => due,
    wasDone: () => {
      due = false;
    },
    end: () => scope.cancel(),
  };
}

/** Children do not end with a benchmark, so that a cancelled one cancels them, and waits until they have cleared up. */
async function cancelItems(board: BenchmarkBoard): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    board.takeInbox();
    const { running } = board.current();
    await Promise.allSettled(running.map(({ runId }) => getExternalWorkflowHandle(itemWorkflowId(runId)).cancel()));
    await condition(() => {
      board.takeInbox();
      return board.current().running.length === 0;
    }, CANCEL_WAIT_MS);
  });
}
