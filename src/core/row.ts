import type { MatrixRow, RowJudgement } from './matrix.js';

const COLLECTION = '<collection>';

/** Id of the row that says whether a test file could be collected: `path/to/file.py::<collection>`. */
export const collectionId = (file: string): string => `${file}::${COLLECTION}`;

/** True for the id of a collection row. */
export const isCollectionId = (testId: string): boolean => testId.endsWith(`::${COLLECTION}`);

/** The test file of a test id or row key. */
export function fileOf(testId: string): string {
  const end = testId.indexOf('::');
  return end === -1 ? testId : testId.slice(0, end);
}

/** `Class::test` or `test` of a test id, without the file and without parameters. */
export function qualifiedNameOf(testId: string): string {
  const name = testId.slice(fileOf(testId).length + 2);
  const parameters = name.indexOf('[');
  return parameters === -1 ? name : name.slice(0, parameters);
}

/** Key under which a row is judged. It holds the step, so that a test that is changed later is judged anew. */
export const rowKey = (row: Pick<MatrixRow, 'testId' | 'step'>): string => `${row.testId}:${row.step}`;

/** True for an untouched test of the repository that passes on the base: whoever fails it changed old behaviour. */
const isRegressionRow = (row: Pick<MatrixRow, 'origin' | 'base'>): boolean =>
  row.origin === 'original' && row.base.status === 'passed';

/**
 * The judgement of a row that needs no model because only one is possible, else null.
 *
 * Certain today: an unedited file that the base collects and a candidate does not is a regression. Any other original
 * test may turn out stale under the issue, so it is left to the judge.
 */
export function defaultJudgement(row: Pick<MatrixRow, 'testId' | 'kind' | 'origin' | 'base'>): RowJudgement | null {
  if (row.kind !== 'differential' || !isCollectionId(row.testId) || !isRegressionRow(row)) return null;
  return {
    class: 'regression',
    quote: '',
    reason: `${fileOf(row.testId)} is unedited and is collected on the base; a candidate that fails here broke it.`,
  };
}
