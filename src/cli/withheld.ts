import type { PreparedCandidate } from '../core/candidate.js';
import type { DecidingTest, Decision, StepRecord } from '../core/decision.js';
import type { Cell, Matrix, MatrixRow } from '../core/matrix.js';

/** Fields of a document whose text a model, a test or an issue wrote: null unless they were asked for. */
type Withheld<T, Field extends keyof T> = Omit<T, Field> & { readonly [Name in Field]: T[Name] | null };

/** A decision as `--json` prints it. */
export type ShownDecision = Withheld<
  Omit<Decision, 'decidingTests' | 'steps' | 'candidates'>,
  'reason' | 'warnings'
> & {
  readonly decidingTests: readonly Withheld<DecidingTest, 'quote'>[];
  readonly steps: readonly Withheld<StepRecord, 'diagnosis' | 'failedDirection' | 'refusals'>[];
  readonly candidates: readonly (PreparedCandidate | WithheldCandidate)[];
};

type WithheldCandidate = Withheld<Extract<PreparedCandidate, { kind: 'excluded' }>, 'detail'>;

/**
 * A decision without the text of models, tests and patches, for programs that hand on what they read: ids, kinds,
 * counts and digests stay, text is null. With `content` all of it stays.
 */
export function shownDecision({ decision, content }: { decision: Decision; content: boolean }): ShownDecision {
  if (content) return decision;
  return {
    ...decision,
    reason: null,
    warnings: null,
    decidingTests: decision.decidingTests.map((test) => ({ ...test, quote: null })),
    steps: decision.steps.map((step) => ({ ...step, diagnosis: null, failedDirection: null, refusals: null })),
    candidates: decision.candidates.map((each) => (each.kind === 'excluded' ? { ...each, detail: null } : each)),
  };
}

/** The excluded without what their patches say. */
export const shownCandidates = ({
  candidates,
  content,
}: {
  candidates: readonly PreparedCandidate[];
  content: boolean;
}): readonly (PreparedCandidate | WithheldCandidate)[] =>
  content ? candidates : candidates.map((each) => (each.kind === 'excluded' ? { ...each, detail: null } : each));

/** A matrix as `--json` prints it. */
export interface ShownMatrix extends Omit<Matrix, 'rows'> {
  readonly rows: readonly ShownRow[];
}

type ShownCell = Withheld<Cell, 'message'>;

interface ShownRow extends Omit<MatrixRow, 'cells' | 'base' | 'judgement'> {
  readonly cells: Readonly<Record<string, ShownCell>>;
  readonly base: ShownCell;
  readonly judgement: Withheld<NonNullable<MatrixRow['judgement']>, 'quote' | 'reason'> | null;
}

/** {@link shownDecision} for a matrix: what failing tests printed and what the judge wrote is null. */
export function shownMatrix({ matrix, content }: { matrix: Matrix; content: boolean }): ShownMatrix {
  if (content) return matrix;
  const bare = (cell: Cell): ShownCell => ({ ...cell, message: null });
  return {
    ...matrix,
    rows: matrix.rows.map((row) => ({
      ...row,
      cells: Object.fromEntries(Object.entries(row.cells).map(([id, cell]) => [id, bare(cell)])),
      base: bare(row.base),
      judgement: row.judgement === null ? null : { ...row.judgement, quote: null, reason: null },
    })),
  };
}
