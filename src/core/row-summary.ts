import type { Cell, Matrix, MatrixRow } from './matrix.js';
import type { RowClass } from './suite.js';

/** A differential row in short, for those who watch a run. */
export interface RowSummary {
  readonly testId: string;
  /** The judge's word, or `unjudged`. */
  readonly class: RowClass | 'unjudged';
  /** Candidates by what the row says of them; others neither pass nor fail. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

const FAILS: readonly Cell['status'][] = ['failed', 'error', 'timeout'];

const PRIORITY: readonly RowSummary['class'][] = [
  'issue',
  'regression',
  'convention',
  'unjudged',
  'stale',
  'incidental',
];

/** The differential rows of a matrix, those that count as evidence first, at most `limit` of them. */
export function summariseRows({ matrix, limit }: { matrix: Matrix; limit: number }): RowSummary[] {
  return matrix.rows
    .filter(({ kind }) => kind === 'differential')
    .map((row) => summary(row))
    .sort((left, right) => PRIORITY.indexOf(left.class) - PRIORITY.indexOf(right.class))
    .slice(0, limit);
}

function summary({ testId, cells, judgement }: MatrixRow): RowSummary {
  const ids = Object.keys(cells);
  return {
    testId,
    class: judgement?.class ?? 'unjudged',
    passed: ids.filter((id) => cells[id]?.status === 'passed'),
    failed: ids.filter((id) => FAILS.includes(cells[id]?.status ?? 'skipped')),
  };
}
