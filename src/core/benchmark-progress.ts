import type { DecidedBy } from './metrics/record.js';

/** How an item ended, small enough for a signal. */
export type ItemOutcome =
  | {
      readonly kind: 'finished';
      readonly decidedBy: DecidedBy;
      readonly tokens: number;
      readonly usd: number | null;
      readonly possibleDuplicates: number;
      /** From its start to its decision. */
      readonly wallMs: number;
    }
  /** A value, never an exception: other items go on. */
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** Neither done nor to be counted: the same command runs it again. */
  | { readonly kind: 'cancelled' };

/** Items that ended, counted. */
export interface Tally {
  readonly finished: number;
  readonly errors: number;
  readonly byDecided: Readonly<Partial<Record<DecidedBy, number>>>;
  readonly tokens: number;
  /** Null where the price of some model is not known. */
  readonly usd: number | null;
  readonly possibleDuplicates: number;
}

export const EMPTY_TALLY: Tally = {
  finished: 0,
  errors: 0,
  byDecided: {},
  tokens: 0,
  usd: 0,
  possibleDuplicates: 0,
};

/** A tally with one more item; a cancelled one is not counted. */
export function addOutcome({ tally, outcome }: { tally: Tally; outcome: ItemOutcome }): Tally {
  if (outcome.kind === 'cancelled') return tally;
  if (outcome.kind === 'error') return { ...tally, errors: tally.errors + 1 };
  return {
    finished: tally.finished + 1,
    errors: tally.errors,
    byDecided: { ...tally.byDecided, [outcome.decidedBy]: (tally.byDecided[outcome.decidedBy] ?? 0) + 1 },
    tokens: tally.tokens + outcome.tokens,
    usd: tally.usd === null || outcome.usd === null ? null : tally.usd + outcome.usd,
    possibleDuplicates: tally.possibleDuplicates + outcome.possibleDuplicates,
  };
}

/** Two tallies as one. */
export function addTallies({ left, right }: { left: Tally; right: Tally }): Tally {
  const decided = [...new Set([...Object.keys(left.byDecided), ...Object.keys(right.byDecided)])] as DecidedBy[];
  return {
    finished: left.finished + right.finished,
    errors: left.errors + right.errors,
    byDecided: Object.fromEntries(
      decided.map((kind) => [kind, (left.byDecided[kind] ?? 0) + (right.byDecided[kind] ?? 0)]),
    ),
    tokens: left.tokens + right.tokens,
    usd: left.usd === null || right.usd === null ? null : left.usd + right.usd,
    possibleDuplicates: left.possibleDuplicates + right.possibleDuplicates,
  };
}

/** An item in work. */
export interface RunningItem {
  /** Place in the plan, from 0. */
  readonly index: number;
  readonly runId: string;
  readonly instanceId: string;
  readonly arm: string;
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** Times that it had to be started again because it ended without a word. */
  readonly restarts: number;
}

/** An item that ended with an error, for people. */
export interface FailedItem {
  readonly runId: string;
  readonly instanceId: string;
  readonly arm: string;
  readonly code: string;
  readonly message: string;
}

/** What a run of a benchmark may spend; null for no limit. */
export interface BenchmarkBudget {
  readonly maxTokens: number | null;
  readonly maxUsd: number | null;
}

/** Where a benchmark stands; the answer of its `progress` query and the source of its live display. */
export interface BenchmarkProgress {
  readonly items: number;
  /** All that ended, earlier runs of the same items included. */
  readonly tally: Tally;
  /** Of `tally`, what was there when this run began. */
  readonly knownBefore: number;
  readonly running: readonly RunningItem[];
  /** The last few. */
  readonly failed: readonly FailedItem[];
  readonly width: number;
  readonly paused: boolean;
  /** True when the budget is spent: what runs is finished, nothing else is begun. */
  readonly spent: boolean;
  readonly budget: BenchmarkBudget;
  /** When this run began, milliseconds since 1970. */
  readonly startedMs: number;
  /** Time that items took that ended in this run, and how many they are. */
  readonly timed: { readonly items: number; readonly wallMs: number };
}

/** True when no further item may begin. A price that is not known cannot be kept to, so that it does not stop. */
export function isSpent({ tally, budget }: { tally: Tally; budget: BenchmarkBudget }): boolean {
  const { maxTokens, maxUsd } = budget;
  return (
    (maxTokens !== null && tally.tokens >= maxTokens) || (maxUsd !== null && tally.usd !== null && tally.usd >= maxUsd)
  );
}

/** Items that may be started now. */
export function roomIn({
  progress,
}: {
  progress: Pick<BenchmarkProgress, 'width' | 'running' | 'paused' | 'spent'>;
}): number {
  return progress.paused || progress.spent ? 0 : Math.max(0, progress.width - progress.running.length);
}

/**
 * Milliseconds until the last item ends, when the others take as long as those that ended in this run: the time of an
 * item times those left, shared by the width. Null before the first item has ended, and while paused.
 */
export function etaMs({ progress, nowMs }: { progress: BenchmarkProgress; nowMs: number }): number | null {
  const { items, tally, timed, running, width, paused, spent } = progress;
  if (timed.items === 0 || paused) return null;
  const eachMs = timed.wallMs / timed.items;
  const waiting = spent ? 0 : Math.max(0, items - tally.finished - tally.errors - running.length);
  const begun = running.map(({ startedMs }) => Math.max(0, eachMs - (nowMs - startedMs)));
  const leftMs = waiting * eachMs + begun.reduce((sum, ms) => sum + ms, 0);
  const lanes = Math.max(1, Math.min(width, waiting + running.length));
  return Math.max(leftMs / lanes, ...begun, 0);
}
