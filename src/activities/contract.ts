import type { ArtifactRef } from '../core/artifact.js';
import type { PreparedCandidate } from '../core/candidate.js';
import type { DecidingTest, Decision } from '../core/decision.js';
import type { FailureKind } from '../core/failure-memory.js';
import type { ColumnSpec, EarlierOutcomes, RunTrail } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import type { RowSummary } from '../core/row-summary.js';
import type { Settings } from '../core/settings.js';
import type { Usage } from '../core/usage.js';
import type { BenchmarkActivities } from './benchmark-contract.js';
import type { MethodActivities } from './method-contract.js';

export type * from './benchmark-contract.js';
export type * from './method-contract.js';

/** What every activity of a run needs to know; small enough to travel with each call. */
export interface RunContext {
  readonly runId: string;
  readonly instance: ArtifactRef;
  readonly settings: Settings;
}

export interface PreparedInstance {
  readonly candidates: readonly PreparedCandidate[];
  /** y_0. */
  readonly suite: ArtifactRef;
  /** Its test files; absent in results of older workers. */
  readonly testFiles?: number;
  /** Its tests on the base, each parametrisation counted; absent in results of older workers. */
  readonly tests?: number;
  readonly baseTreeId: string;
  readonly warnings: readonly string[];
}

export interface ExecuteSuiteInput extends RunContext {
  readonly prepared: ArtifactRef;
  readonly column: ColumnSpec;
  readonly suite: ArtifactRef;
  /** Test files to run, their bytes as the suite has them; null for all that take part. */
  readonly files: readonly string[] | null;
  /** 0 for the first execution, n for the n-th confirming rerun; part of the outcome's key. */
  readonly rerun: number;
}

export interface ExecuteSuiteResult {
  /** A {@link CandidateOutcomes}. */
  readonly outcomes: ArtifactRef;
  readonly executed: number;
  readonly reused: number;
}

export interface ColumnOutcomes {
  readonly candidate: string;
  /** Index 0 the first execution, then the reruns. */
  readonly outcomes: readonly ArtifactRef[];
}

export interface ScoreSuiteInput extends RunContext {
  readonly prepared: ArtifactRef;
  readonly suite: ArtifactRef;
  /** Candidates of the matrix in the order given; those that were not executed now have earlier outcomes. */
  readonly candidates: readonly string[];
  readonly columns: readonly ColumnOutcomes[];
  readonly earlier: readonly EarlierOutcomes[];
  /** Judgements so far, an object of RowJudgement by row key; null before the first. */
  readonly judgements: ArtifactRef | null;
  /** Candidates in the lead after the previous step; all at the start. */
  readonly leaders: readonly string[];
}

export interface ScoreSuiteResult {
  readonly matrix: ArtifactRef;
  readonly score: Score;
  /** Files of the unconfirmed rows, and the candidates to run them on again. */
  readonly confirm: { readonly files: readonly string[]; readonly candidates: readonly string[] };
  /** Differential rows for those who watch, the telling ones first; absent in results of older workers. */
  readonly rows?: readonly RowSummary[];
}

/** What an LLM turn is about; the prompt is built from these references. */
export interface TurnSubject extends RunContext {
  readonly step: number;
  readonly prepared: ArtifactRef;
  readonly suite: ArtifactRef;
  readonly matrix: ArtifactRef;
  readonly momentum: ArtifactRef | null;
  readonly leaders: readonly string[];
  /** Failed updates since the leading group last got smaller; the optimizer may call the leaders equal after some. */
  readonly failedInLead: number;
}

export interface ToolCallRef {
  readonly callId: string;
  readonly tool: string;
}

export interface OptimizerTurnInput extends TurnSubject {
  readonly turn: number;
  /** Conversation so far, null on the first turn. */
  readonly conversation: ArtifactRef | null;
  /** Results of the tool calls of the previous turn, in their order. */
  readonly toolResults: readonly { readonly callId: string; readonly result: ArtifactRef }[];
  /** True when turns are nearly used up: the model must submit now. */
  readonly lastTurn: boolean;
}

export type TurnEnd =
  /** The model asked for tools; `calls` are the ones to run, a few at most. */
  | { readonly kind: 'tools'; readonly calls: readonly ToolCallRef[] }
  /** It submitted an update; `callId` names it in the conversation. */
  | { readonly kind: 'submission'; readonly callId: string }
  /** It declared the leaders equal. */
  | { readonly kind: 'equal'; readonly callId: string; readonly reason: string }
  /** Neither, twice: nothing usable. */
  | { readonly kind: 'unusable'; readonly reason: string };

export interface OptimizerTurnResult {
  readonly conversation: ArtifactRef;
  readonly end: TurnEnd;
  readonly usage: Usage;
  /** True when the answer came from the store. */
  readonly stored: boolean;
}

export interface ReadRepositoryInput extends TurnSubject {
  readonly conversation: ArtifactRef;
  readonly callId: string;
}

export interface ReadRepositoryResult {
  readonly result: ArtifactRef;
  /** For the Temporal UI: `read_file tests/test_x.py 1-80`. */
  readonly summary: string;
}

export interface ApplyEditInput extends TurnSubject {
  readonly conversation: ArtifactRef;
  readonly callId: string;
  readonly columns: readonly ColumnSpec[];
}

export type ApplyEditResult =
  | {
      readonly kind: 'applied';
      readonly suite: ArtifactRef;
      /** Test files of `suite`; absent in results of older workers. */
      readonly testFiles?: number;
      /** Tests of `suite` on the base, each parametrisation counted; absent in results of older workers. */
      readonly tests?: number;
      readonly changedFiles: readonly string[];
      readonly operations: readonly string[];
      readonly diagnosis: string;
      readonly failedDirection: string;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly direction: string; readonly result: ArtifactRef };

export interface RememberFailureInput extends RunContext {
  readonly step: number;
  readonly kind: FailureKind;
  readonly reason: string;
  readonly direction: string;
  /** Suite after the update; null when it was not applied. */
  readonly suite: ArtifactRef | null;
  /** Matrix of that suite: says how its tests ended. */
  readonly matrix: ArtifactRef | null;
  readonly memory: readonly ArtifactRef[];
  readonly prepared: ArtifactRef;
}

export interface MomentumResult {
  /** The memory with the new entry at its end. */
  readonly memory: readonly ArtifactRef[];
  readonly momentum: ArtifactRef;
  readonly tokens: number;
  readonly rawTokens: number;
  readonly patterns: number;
}

export interface JudgeRowsInput extends TurnSubject {
  /** Judgements so far; differential rows of the matrix that have none are judged. */
  readonly judgements: ArtifactRef | null;
}

export interface JudgeRowsResult {
  readonly judgements: ArtifactRef;
  readonly conversation: ArtifactRef;
  readonly usage: Usage;
  readonly judged: number;
}

export interface CheckerTurnInput extends TurnSubject {
  /** `differential` when evidence decided the lead, else how the loop ended. */
  readonly situation: 'differential' | 'equivalent' | 'fallback';
}

export interface CheckerTurnResult {
  /** Candidate id, or null when none is acceptable. */
  readonly selectedId: string | null;
  readonly decidingTests: readonly DecidingTest[];
  readonly reason: string;
  /** False when the answer was unusable twice and the rule has to choose. */
  readonly usable: boolean;
  /** Evidence, what proves most first, each with the candidates that pass it; absent in results of earlier versions. */
  readonly evidence?: readonly { readonly test: DecidingTest; readonly passedBy: readonly string[] }[];
  /** Passed tests by candidate id, for the rule. */
  readonly passCounts: Readonly<Record<string, number>>;
  readonly conversation: ArtifactRef;
  readonly usage: Usage;
}

export interface FinishInstanceInput extends RunContext {
  readonly decision: Decision;
  readonly trail: RunTrail;
  readonly prepared: ArtifactRef;
}

/** The activities of one instance and of a benchmark, named as Temporal's UI shows them. */
export interface InstanceActivities extends MethodActivities, BenchmarkActivities {
  /** Environment present, candidates applied and normalised, tests of the base healthy. */
  prepareInstance(input: RunContext): Promise<PreparedInstance & { readonly prepared: ArtifactRef }>;
  /** One column × the test files that are not known yet. */
  executeSuite(input: ExecuteSuiteInput): Promise<ExecuteSuiteResult>;
  /** Outcomes → matrix, loss, leaders. */
  scoreSuite(input: ScoreSuiteInput): Promise<ScoreSuiteResult>;
  /** One LLM call that judges differential rows against the issue, without the candidates. */
  judgeRows(input: JudgeRowsInput): Promise<JudgeRowsResult>;
  /** One LLM turn of the optimizer. */
  optimizerTurn(input: OptimizerTurnInput): Promise<OptimizerTurnResult>;
  /** One tool call of the optimizer. */
  readRepository(input: ReadRepositoryInput): Promise<ReadRepositoryResult>;
  /** Checks a submission and makes y_{t+1}. */
  applyEdit(input: ApplyEditInput): Promise<ApplyEditResult>;
  /** Adds a failed update to the memory and mines it, off the event loop. */
  mineMomentum(input: RememberFailureInput): Promise<MomentumResult>;
  /** The checker, once, in a context of its own. */
  checkerTurn(input: CheckerTurnInput): Promise<CheckerTurnResult>;
  /** Result record and run folder; idempotent. */
  finishInstance(input: FinishInstanceInput): Promise<{ readonly decision: ArtifactRef; readonly runDir: string }>;
  /** Removes this run's sandboxes. */
  releaseInstance(input: RunContext): Promise<{ readonly removed: number }>;
}
