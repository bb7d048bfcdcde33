import type { Matrix, MatrixRow } from './matrix.js';
import { isDecisive, isFailing } from './outcome.js';

/**
 * The candidates in the lead, in the matrix' order.
 *
 * A right candidate passes everything that is evidence, so the lead is held by those who fail no evidence row. When
 * each fails one, rows contradict each other or every candidate is wrong; then those stay who fail the fewest rows of
 * class `issue`, and among them the fewest evidence rows: what the issue says outweighs what was inferred.
 *
 * A candidate that was behind before does not return on missing knowledge: while it fails a weak row, our side broke
 * on it, or evidence or a test that an update changed was not run on it, it stays behind. So evidence outlives an update
 * of the test that gave it, or of a helper of that test.
 */
export function leadersOf({
  matrix,
  evidence,
  previousLeaders,
}: {
  matrix: Matrix;
  evidence: readonly MatrixRow[];
  previousLeaders: readonly string[];
}): string[] {
  const open = matrix.candidates.filter((id) => previousLeaders.includes(id) || !isUnclear({ matrix, evidence, id }));
  const field = open.length > 0 ? open : matrix.candidates;
  const onIssue = fewestFailures({ ids: field, rows: evidence.filter((row) => row.judgement?.class === 'issue') });
  return fewestFailures({ ids: onIssue, rows: evidence });
}

function fewestFailures({ ids, rows }: { ids: readonly string[]; rows: readonly MatrixRow[] }): string[] {
  const failures = new Map(ids.map((id) => [id, rows.filter((row) => fails({ row, id })).length]));
  const least = Math.min(...failures.values());
  return ids.filter((id) => failures.get(id) === least);
}

const fails = ({ row, id }: { row: MatrixRow; id: string }): boolean => isFailing(row.cells[id]?.status ?? 'missing');

function isUnclear({ matrix, evidence, id }: { matrix: Matrix; evidence: readonly MatrixRow[]; id: string }): boolean {
  const unknown = matrix.rows.some(
    (row) => row.cells[id]?.status === 'infra' || (row.kind === 'weak' && fails({ row, id })),
  );
  const changed = matrix.rows.filter(
    (row) => row.step > 0 && Object.values(row.cells).some((cell) => isDecisive(cell.status)),
  );
  return unknown || [...evidence, ...changed].some((row) => row.cells[id]?.status === 'missing');
}
