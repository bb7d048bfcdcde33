import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { MAX_WIDTH } from '../core/benchmark-ids.js';
import {
  addOutcome,
  addTallies,
  type BenchmarkProgress,
  isSpent,
  type RunningItem,
  type Tally,
} from '../core/benchmark-progress.js';
import {
  benchmarkProgressQuery,
  type ItemEnded,
  itemEndedSignal,
  pauseBenchmarkUpdate,
  resumeBenchmarkUpdate,
  setBenchmarkBudgetUpdate,
  setWidthUpdate,
} from './benchmark-messages.js';

/** Failures that are shown; all are in the store. */
const MAX_FAILED = 20;

/** Keeps where a benchmark stands, what operators want, and which items told their end. */
export interface BenchmarkBoard {
  readonly current: () => BenchmarkProgress;
  /** Ends that were told and not taken yet. */
  readonly inbox: () => readonly ItemEnded[];
  /** Counts all that were told; an end that is told twice, or of an item that is not in work, counts once. */
  readonly takeInbox: () => void;
  /** Counts one that was found to have ended. */
  readonly settle: (ended: ItemEnded) => void;
  readonly begin: (item: RunningItem) => void;
  /** Takes an item out of those in work without counting it. */
  readonly drop: (runId: string) => void;
  /** Counts items that were done before. */
  readonly addKnown: (known: Tally) => void;
  /** Changes whenever an operator asks for something. */
  readonly wishes: () => number;
}

/**
 * Registers query, updates and the signal; call it before the first await. Handlers only set state, so that a replay never
 * depends on their timing.
 */
export function benchmarkBoard({
  start,
  inbox: carriedInbox,
}: {
  start: BenchmarkProgress;
  inbox: readonly ItemEnded[];
}): BenchmarkBoard {
  let progress = start;
  let inbox: readonly ItemEnded[] = carriedInbox;
  let wishes = 0;
  const change = (next: Partial<BenchmarkProgress>): BenchmarkProgress => {
    progress = { ...progress, ...next };
    progress = { ...progress, spent: isSpent(progress) };
    setCurrentDetails(details(progress));
    return progress;
  };
  const wish = (next: Partial<BenchmarkProgress>): BenchmarkProgress => {
    wishes += 1;
    return change(next);
  };

  setHandler(benchmarkProgressQuery, () => progress, { description: 'Done, running and failed items, tokens, price' });
  setHandler(
    itemEndedSignal,
    (ended) => {
      inbox = [...inbox, ended];
    },
    { description: 'An item tells its end' },
  );
  setHandler(pauseBenchmarkUpdate, () => wish({ paused: true }), { description: 'Begin no further item' });
  setHandler(resumeBenchmarkUpdate, () => wish({ paused: false }), { description: 'Go on after a pause' });
  setHandler(setWidthUpdate, ({ width }) => wish({ width }), {
    description: 'Change how many items are in work at a time',
    validator: ({ width }) => {
      if (!Number.isSafeInteger(width) || width < 1 || width > MAX_WIDTH)
        throw new Error(`width must be a whole number from 1 to ${MAX_WIDTH}.`);
    },
  });
  setHandler(setBenchmarkBudgetUpdate, (budget) => wish({ budget }), {
    description: 'Change what the benchmark may spend; null for no limit',
    validator: ({ maxTokens, maxUsd }) => {
      for (const limit of [maxTokens, maxUsd])
        if (limit !== null && !(Number.isFinite(limit) && limit > 0)) throw new Error('A limit must be above 0.');
    },
  });

  const without = (runId: string): RunningItem[] => progress.running.filter((item) => item.runId !== runId);
  const settle = ({ runId, outcome }: ItemEnded): void => {
    const item = progress.running.find((each) => each.runId === runId);
    if (item === undefined) return;
    const { instanceId, arm } = item;
    const { timed, failed, tally } = progress;
    change({
      running: without(runId),
      tally: addOutcome({ tally, outcome }),
      ...(outcome.kind === 'finished'
        ? { timed: { items: timed.items + 1, wallMs: timed.wallMs + outcome.wallMs } }
        : {}),
      ...(outcome.kind === 'error'
        ? {
            failed: [...failed, { runId, instanceId, arm, code: outcome.code, message: outcome.message }].slice(
              -MAX_FAILED,
            ),
          }
        : {}),
    });
  };
  return {
    current: () => progress,
    inbox: () => inbox,
    wishes: () => wishes,
    begin: (item) => void change({ running: [...progress.running, item] }),
    drop: (runId) => void change({ running: without(runId) }),
    addKnown: (known) =>
      void change({
        tally: addTallies({ left: progress.tally, right: known }),
        knownBefore: progress.knownBefore + known.finished + known.errors,
      }),
    settle,
    takeInbox: () => {
      for (const ended of inbox) settle(ended);
      inbox = [];
    },
  };
}

function details({ items, tally, running, width, paused, spent, failed }: BenchmarkProgress): string {
  const decided = Object.entries(tally.byDecided).map(([kind, count]) => `${count} ${kind}`);
  return [
    `**${tally.finished + tally.errors} of ${items}** done · ${running.length} of ${width} in work${paused ? ' · **paused**' : ''}${spent ? ' · **budget spent**' : ''}`,
    '',
    decided.length === 0 ? '' : `Decided by: ${decided.join(', ')}. ${tally.errors} errors.`,
    `${tally.tokens} tokens, ${tally.usd === null ? 'price unknown' : `$${tally.usd.toFixed(2)}`}`,
    '',
    ...failed.slice(-5).map(({ code, instanceId, arm }) => `- ${code} ${instanceId} (${arm})`),
  ].join('\n');
}
