import type { OutcomeStatus, TestPhase } from './outcome.js';
import type { RowClass, TestOrigin } from './suite.js';

/** One cell of the matrix. */
export interface Cell {
  readonly status: OutcomeStatus;
  readonly phase: TestPhase;
  readonly message: string;
  /** Statuses of the confirming reruns, in order; empty when it was not run again. */
  readonly reruns: readonly OutcomeStatus[];
}

/** What the executions say about a row, before anyone judges it. */
export type RowKind = 'uniform' | 'differential' | 'unconfirmed' | 'flaky' | 'weak';

/** The judge's word on a differential row. */
export interface RowJudgement {
  readonly class: RowClass;
  /** Sentence of the issue that the row expresses; empty for a regression or an incidental row. */
  readonly quote: string;
  readonly reason: string;
}

/** One test (or the collection of one file) over all candidates. */
export interface MatrixRow {
  /** Test id, or `path/to/file.py::<collection>`. */
  readonly testId: string;
  readonly origin: TestOrigin;
  /** Step whose update created or last changed the test; 0 for an original one. */
  readonly step: number;
  readonly kind: RowKind;
  /** Cells by candidate id; every usable candidate has one. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** The unpatched base, a reference that takes no part in the decision. */
  readonly base: Cell;
  readonly judgement: RowJudgement | null;
}

/** Tests × candidates. Stored as an artifact; never in workflow history. */
export interface Matrix {
  readonly schema: 'testgrad.matrix/1';
  readonly step: number;
  /** Candidate ids in the order given. */
  readonly candidates: readonly string[];
  readonly rows: readonly MatrixRow[];
}

/** What a matrix means for the loop. */
export interface Score {
  /** L(y_t): 0 if a confirmed differential row separates some candidates, else 1. */
  readonly loss: 0 | 1;
  /** Candidates that fail no evidence row; all of them while there is no evidence. */
  readonly leaders: readonly string[];
  /** Loss within the leading group: 0 when its members are told apart or it has at most one. */
  readonly leaderLoss: 0 | 1;
  /** Rows that must be run again before they count. */
  readonly unconfirmed: readonly string[];
  /** Differential rows without a judgement. */
  readonly unjudged: readonly string[];
  readonly counts: {
    readonly rows: number;
    readonly uniform: number;
    readonly differential: number;
    readonly flaky: number;
    readonly weak: number;
    readonly evidence: number;
  };
}
