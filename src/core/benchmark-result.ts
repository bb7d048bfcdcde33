import type { ArtifactRef } from './artifact.js';
import type { DecidedBy, MemoryAtStep, Separation } from './metrics/record.js';
import type { Usage } from './usage.js';

/** Kind of the binding that says an item is done; its key is the item's run id. */
export const RESULT_KIND = 'benchmark-result';

/** Ledger of an item's errors: one line an attempt that failed, as {@link ItemError}. */
export const errorLedger = (runId: string): string => `benchmark-error/${runId}`;

/** Ledger of a benchmark's attempts: one line for each time that its errors were to be run again. */
export const attemptLedger = (runId: string): string => `benchmark-attempt/${runId}`;

/** Kind of the binding that says an attempt of a benchmark is done; its key is from {@link finishedKey}. */
export const FINISHED_KIND = 'benchmark-finished';

/** Key of a finished attempt; the first attempt is 0. */
export const finishedKey = ({ runId, attempt }: { runId: string; attempt: number }): string => `${runId}/${attempt}`;

/** One attempt at an item that ended with an error. */
export interface ItemError {
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What a run method selected on an instance: all that scoring needs, and nothing of what is known to be right. */
export interface BenchmarkResult {
  readonly schema: 'testgrad.benchmark-result/1';
  readonly runId: string;
  readonly instanceId: string;
  readonly method: string;
  /** Agent whose patch was selected; null when none was. */
  readonly selected: string | null;
  readonly decidedBy: DecidedBy;
  readonly reason: string;
  /** Agents that took part and whether they could; those without a patch are not named. */
  readonly candidates: readonly { readonly agent: string; readonly state: 'usable' | 'excluded' }[];
  readonly steps: number;
  readonly usage: Usage;
  readonly durations: {
    readonly wallMs: number;
    readonly modelMs: number | null;
    readonly executionMs: number | null;
  };
  /** Agents in the place of candidates' indices. */
  readonly separations: readonly (Omit<Separation, 'passed' | 'failed'> & {
    readonly passed: readonly string[];
    readonly failed: readonly string[];
  })[];
  readonly memory: readonly MemoryAtStep[];
  /** The instance that the run had. */
  readonly instance: ArtifactRef;
}

/** How the items of a benchmark ended. Stored; `items` in the order of the plan. */
export interface BenchmarkResults {
  readonly schema: 'testgrad.benchmark-results/1';
  readonly runId: string;
  readonly attempt: number;
  readonly items: readonly ItemEnd[];
}

/** How one item ended. */
export type ItemEnd =
  | { readonly kind: 'finished'; readonly runId: string; readonly result: ArtifactRef }
  | { readonly kind: 'error'; readonly runId: string; readonly code: string; readonly message: string }
  /** Neither: it was cancelled, or the budget was spent before it began. */
  | { readonly kind: 'missing'; readonly runId: string };

/** What a benchmark's workflow ends with. */
export interface BenchmarkEnd {
  readonly schema: 'testgrad.benchmark-end/1';
  readonly runId: string;
  /** A {@link BenchmarkResults}. */
  readonly results: ArtifactRef;
  readonly finished: number;
  readonly errors: number;
  readonly missing: number;
  /** True when every item has a result or an error. */
  readonly complete: boolean;
}
