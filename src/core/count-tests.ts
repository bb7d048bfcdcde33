import type { Matrix } from './matrix.js';
import { fileOf, isCollectionId } from './row.js';

/**
 * Tests of an updated suite on the base, each parametrisation counted: of files that were just collected what they hold
 * now, of the others what the base had of them in the matrix before.
 */
export function countTests({
  testFiles,
  matrix,
  collected,
}: {
  testFiles: readonly string[];
  /** Of the suite before the update. */
  matrix: Pick<Matrix, 'rows'>;
  /** Tests by file. */
  collected: ReadonlyMap<string, number>;
}): number {
  const before = new Map<string, number>();
  for (const { testId, base } of matrix.rows) {
    if (base.status === 'missing' || isCollectionId(testId)) continue;
    before.set(fileOf(testId), (before.get(fileOf(testId)) ?? 0) + 1);
  }
  return testFiles.reduce((sum, file) => sum + (collected.get(file) ?? before.get(file) ?? 0), 0);
}
