import type { PreparedCandidate } from './candidate.js';
import type { LoopEnd } from './loop-state.js';
import type { RowClass, TestOrigin } from './suite.js';
import type { UsageLedger } from './usage.js';

/** How the candidate was chosen. */
export type DecisionKind =
  /** A differential test decided. */
  | 'differential'
  /** The candidates in the lead behave the same on every test, or were found equal. */
  | 'equivalent'
  /** Only one candidate was usable. */
  | 'single'
  /** No differential test within the budget; the checker, or the order of method.md, chose. */
  | 'fallback'
  /** The checker accepts none of the candidates. */
  | 'none-acceptable'
  /** No candidate was usable. */
  | 'no-candidate';

/** A test that proves the choice. */
export interface DecidingTest {
  readonly testId: string;
  readonly origin: TestOrigin;
  readonly step: number;
  readonly class: RowClass | 'unjudged';
  /** Sentence of the issue that the test expresses. */
  readonly quote: string;
}

/** One step y_t as the report shows it. */
export interface StepRecord {
  readonly step: number;
  /** Operations of the update that led to y_t, e.g. `create tests/test_x.py::test_a`; empty at y_0. */
  readonly operations: readonly string[];
  readonly diagnosis: string;
  readonly failedDirection: string;
  readonly loss: 0 | 1;
  readonly leaderLoss: 0 | 1;
  readonly leaders: readonly string[];
  readonly differential: number;
  readonly evidence: number;
  readonly executedFiles: number;
  readonly reusedFiles: number;
  readonly momentumTokens: number;
  readonly rawMemoryTokens: number;
  /** Why the update was refused, where it was. */
  readonly refusals: readonly string[];
  /** Wall time of the step, the optimizer's turns and the executions; absent where it was not recorded. */
  readonly durationMs?: number;
}

/** A step of which nothing is known yet. */
export function emptyStep(step: number): StepRecord {
  return {
    step,
    operations: [],
    diagnosis: '',
    failedDirection: '',
    loss: 1,
    leaderLoss: 1,
    leaders: [],
    differential: 0,
    evidence: 0,
    executedFiles: 0,
    reusedFiles: 0,
    momentumTokens: 0,
    rawMemoryTokens: 0,
    refusals: [],
  };
}

/** The answer of a run. Complete and small: a closed workflow reads without a worker. */
export interface Decision {
  readonly schema: 'testgrad.decision/1';
  readonly runId: string;
  readonly instance: string;
  readonly kind: DecisionKind;
  /** Agent name of the selected candidate; null when none was selected. */
  readonly selected: string | null;
  readonly selectedId: string | null;
  readonly decidingTests: readonly DecidingTest[];
  /** The checker's reason, or the rule that chose. */
  readonly reason: string;
  readonly chosenBy: 'checker' | 'rule';
  readonly candidates: readonly PreparedCandidate[];
  /** Ids of candidates that fail no evidence row. */
  readonly leaders: readonly string[];
  readonly steps: readonly StepRecord[];
  /** Why the loop ended. */
  readonly ended: LoopEnd;
  readonly usage: UsageLedger;
  readonly warnings: readonly string[];
  /** Digests of the artifacts behind the decision. */
  readonly artifacts: { readonly instance: string; readonly suite: string | null; readonly matrix: string | null };
}
