import type { RowClass, TestOrigin } from '../suite.js';
import type { Usage } from '../usage.js';

/** Whether a patch resolves its instance under the tests that grade; `unknown` where nobody has graded it. */
export type Resolution = 'resolved' | 'unresolved' | 'unknown';

/**
 * How a patch can have been chosen, in the words that reports break results down by and in the order in which they list
 * them: from the hardest evidence to none.
 */
export const DECIDED_BY = [
  /** A test that the repository already had tells candidates apart. */
  'existing-test',
  /** A test of the repository that an update revised. */
  'updated-test',
  /** A test that an update created. */
  'created-test',
  /** The candidates in the lead behave the same. */
  'equivalent',
  /** Only one candidate was usable. */
  'single-candidate',
  /** A model chose without a test that decides. */
  'judge',
  /** Votes, counts of passing tests, or another rule of a method. */
  'rule',
  /** The method's own answer could not be used. */
  'fallback',
  /** An oracle, an adversary or an expectation. */
  'bound',
  /** None of the candidates was accepted, or there was none. */
  'nothing',
  /** The instance ended with an error of ours. */
  'error',
] as const;

/** How a patch was chosen. */
export type DecidedBy = (typeof DECIDED_BY)[number];

/** A test that passed on some candidates and failed on others, by the candidates' indices. */
export interface Separation {
  readonly testId: string;
  readonly origin: TestOrigin;
  readonly class: RowClass | 'unjudged';
  /** t of the suite that first held it; 0 is the suite as the repository has it. */
  readonly step: number;
  readonly passed: readonly number[];
  readonly failed: readonly number[];
  /** True when the choice rests on it. */
  readonly deciding: boolean;
}

/** Size of the failure memory before the update that made y_step, in tokens. */
export interface MemoryAtStep {
  readonly step: number;
  /** As momentum shows it. */
  readonly momentumTokens: number;
  /** As the failed updates themselves would. */
  readonly rawTokens: number;
}

/** A candidate of an instance, as scoring knows it after the selection. */
export interface RecordedCandidate {
  readonly agent: string;
  /** `missing`: the agent has no prediction; `excluded`: empty, or does not apply. */
  readonly state: 'usable' | 'excluded' | 'missing';
  readonly resolution: Resolution;
}

/**
 * One instance decided by one method: what all statistics of a benchmark are made of.
 *
 * Made when scoring, after the selection: it holds what is known about the candidates, which a selection never sees.
 */
export interface InstanceRecord {
  readonly schema: 'testgrad.instance-record/1';
  readonly instanceId: string;
  /** Name of the method, or of its ablation; records with the same name are one method. */
  readonly method: string;
  /** Index of the selected candidate; null when none was, or for an expectation over `among`. */
  readonly chosen: number | null;
  /** Indices that are equally likely, for an expectation; else empty. */
  readonly among: readonly number[];
  readonly decidedBy: DecidedBy;
  /** Updates that were made. */
  readonly steps: number;
  readonly usage: Usage;
  readonly durations: {
    /** From the start of the instance to its decision. */
    readonly wallMs: number;
    /** Sum over calls of models; null where it was not measured. */
    readonly modelMs: number | null;
    /** Sum over executions of tests; null where it was not measured. */
    readonly executionMs: number | null;
  };
  readonly separations: readonly Separation[];
  readonly memory: readonly MemoryAtStep[];
  /** In the order of agents that defines N. */
  readonly candidates: readonly RecordedCandidate[];
}
