import type { CandidateRow, CandidateTable } from './candidate-table.js';

/** What could be had from the first n agents, without any method. All rates from 0 to 1. */
export interface EnsembleLine {
  readonly n: number;
  /** The agent that n adds. */
  readonly added: string;
  /** Pass@1 of the added agent by itself. */
  readonly addedRate: number;
  /** The best of the first n by itself. */
  readonly best: { readonly agent: string; readonly rate: number };
  /** Some candidate resolves the instance: the bound from above. */
  readonly oracle: number;
  /** A candidate is taken at random. */
  readonly expected: number;
  /** Every candidate resolves the instance: the bound from below. */
  readonly adversary: number;
  /** Instances with a candidate among the first n that nobody has graded; it counts as not resolving. */
  readonly unknown: number;
}

/**
 * The lines of the paper's RQ2 for n = 1 … N agents in the order given. With r(i, k) = 1 when candidate k resolves
 * instance i, and means over instances:
 *
 * - oracle(n) = mean of max over k ≤ n of r(i, k)
 * - expected(n) = mean of (Σ over k ≤ n of r(i, k)) / n
 * - adversary(n) = mean of min over k ≤ n of r(i, k)
 *
 * Source: the paper's figure "Oracle (any candidate correct), Expected (random choice), Adversary (every candidate must be
 * correct)". An agent without a patch counts as one that does not resolve, as on the leaderboard. Empty without instances.
 */
export function ensembleLines({ agents, rows }: CandidateTable): EnsembleLine[] {
  if (rows.length === 0) return [];
  const singles = agents.map((agent, index) => ({
    agent,
    rate: mean(rows.map((row) => resolves({ row, index }))),
  }));
  return agents.map((added, last) => {
    const n = last + 1;
    const counts = rows.map((row) => countResolved({ row, n }));
    const best = singles.slice(0, n).reduce((left, right) => (right.rate > left.rate ? right : left));
    return {
      n,
      added,
      addedRate: singles[last]?.rate ?? 0,
      best,
      oracle: mean(counts.map((count) => (count > 0 ? 1 : 0))),
      expected: mean(counts.map((count) => count / n)),
      adversary: mean(counts.map((count) => (count === n ? 1 : 0))),
      unknown: rows.filter(({ candidates }) =>
        candidates.slice(0, n).some(({ resolution }) => resolution === 'unknown'),
      ).length,
    };
  });
}

function countResolved({ row, n }: { row: CandidateRow; n: number }): number {
  let count = 0;
  for (let index = 0; index < n; index += 1) count += resolves({ row, index });
  return count;
}

const resolves = ({ row, index }: { row: CandidateRow; index: number }): 0 | 1 =>
  row.candidates[index]?.resolution === 'resolved' ? 1 : 0;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
