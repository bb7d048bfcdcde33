import type { ArtifactRef } from '../core/artifact.js';
import type { RunMethod } from '../core/benchmark-plan.js';
import type { ItemOutcome, Tally } from '../core/benchmark-progress.js';
import type { BenchmarkEnd } from '../core/benchmark-result.js';
import type { Decision } from '../core/decision.js';
import type { Settings } from '../core/settings.js';
import type { MethodRecord } from './method-contract.js';

/** Which items a workflow begins with. */
export interface NextItemsInput {
  /** A BenchmarkPlan. */
  readonly plan: ArtifactRef;
  /** Place in the plan to look from, from 0. */
  readonly from: number;
  /** Items that failed in this attempt or a later one are done. */
  readonly attempt: number;
  /** Items wanted at most. */
  readonly want: number;
}

/** An item that has neither a result nor an error of this attempt. */
export interface ItemToStart {
  readonly index: number;
  readonly runId: string;
  readonly instanceId: string;
  readonly arm: string;
  readonly n: number;
}

export interface NextItemsResult {
  readonly items: readonly ItemToStart[];
  /** Where to look from next; null when the plan is through. */
  readonly next: number | null;
  /** The items on the way that were done before. */
  readonly known: Tally;
}

/** Names an item in the plan. */
export interface ItemPlace {
  readonly plan: ArtifactRef;
  readonly index: number;
  readonly runId: string;
}

export type OpenItemResult =
  | { readonly kind: 'finished'; readonly outcome: ItemOutcome }
  | {
      readonly kind: 'open';
      /** An InstanceSpec. */
      readonly instance: ArtifactRef;
      readonly name: string;
      readonly method: RunMethod;
      readonly settings: Settings;
    };

/** What a method answered. */
export type ItemAnswer =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'record'; readonly record: MethodRecord };

export interface KeepResultInput extends ItemPlace {
  readonly instance: ArtifactRef;
  readonly answer: ItemAnswer;
  readonly wallMs: number;
}

export interface KeepErrorInput {
  readonly runId: string;
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
}

export interface ReconcileInput {
  readonly attempt: number;
  readonly items: readonly { readonly runId: string; readonly workflowId: string }[];
}

/** What became of an item that was started. `gone`: its workflow is closed, and nothing is on record. */
export type ItemState =
  | { readonly runId: string; readonly kind: 'running' | 'gone' }
  | { readonly runId: string; readonly kind: 'ended'; readonly outcome: ItemOutcome };

export interface FinishBenchmarkInput {
  readonly runId: string;
  readonly plan: ArtifactRef;
  readonly attempt: number;
}

/** The activities of a benchmark. */
export interface BenchmarkActivities {
  /** The next items of the plan that are to be done. */
  nextItems(input: NextItemsInput): Promise<NextItemsResult>;
  /** The result of an item, or the instance that it needs. */
  openItem(input: ItemPlace): Promise<OpenItemResult>;
  /** Binds an item's result; idempotent. */
  keepResult(input: KeepResultInput): Promise<ItemOutcome>;
  /** Puts an item's error on record. */
  keepError(input: KeepErrorInput): Promise<ItemOutcome>;
  /** What became of items whose end was not told. */
  reconcileItems(input: ReconcileInput): Promise<readonly ItemState[]>;
  /** Puts expected and finished items side by side; binds the end when none is missing. */
  finishBenchmark(input: FinishBenchmarkInput): Promise<BenchmarkEnd>;
}
