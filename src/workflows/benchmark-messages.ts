import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BenchmarkBudget, BenchmarkProgress, ItemOutcome } from '../core/benchmark-progress.js';

/** How an item ended, as it tells its benchmark. */
export interface ItemEnded {
  readonly runId: string;
  readonly outcome: ItemOutcome;
}

/** Sent by an item at its end, by workflow id: it reaches the benchmark whenever its history was continued as new. */
export const itemEndedSignal = defineSignal<[ItemEnded]>('itemEnded');

/** Where the benchmark stands. */
export const benchmarkProgressQuery = defineQuery<BenchmarkProgress>('progress');

/** Begins no further item; those in work are finished. */
export const pauseBenchmarkUpdate = defineUpdate<BenchmarkProgress>('pause');

/** Lets a paused benchmark go on. */
export const resumeBenchmarkUpdate = defineUpdate<BenchmarkProgress>('resume');

/** Changes how many items are in work at a time. */
export const setWidthUpdate = defineUpdate<BenchmarkProgress, [{ width: number }]>('setWidth');

/** Changes what the benchmark may spend. */
export const setBenchmarkBudgetUpdate = defineUpdate<BenchmarkProgress, [BenchmarkBudget]>('setBudget');
