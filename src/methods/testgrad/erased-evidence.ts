import type { Matrix, MatrixRow } from '../../core/matrix.js';
import { covers, isTestName } from '../../core/operation.js';
import { folderOf } from '../../core/reach.js';
import { fileOf, qualifiedNameOf } from '../../core/row.js';
import { isJudgedEvidence } from '../../core/score.js';
import type { ChangedTest } from '../../core/suite.js';

/**
 * Why an update, as it changed the definitions of the suite, would erase evidence; empty when it would not. A test that
 * is evidence stays as it is, wherever its class has it from: else a candidate that fails it returns to the lead.
 */
export function erasedEvidence({
  changed,
  matrix,
}: {
  changed: readonly Pick<ChangedTest, 'op' | 'file' | 'name'>[];
  matrix: Matrix;
}): string[] {
  return changed.flatMap(({ op, file, name }) => {
    const own = rowsOf({ matrix, file, test: name });
    const rows = own.length > 0 || op === 'create' ? own : inheritingRows({ matrix, file, name });
    const evidence = rows.find(isJudgedEvidence);
    if (evidence === undefined) return [];
    const done = { create: 'replaced', update: 'changed', delete: 'deleted' }[op];
    return [
      `${file}::${name} cannot be ${done}: ${evidence.testId} separates candidates and was judged ${evidence.judgement?.class}, so it is evidence and stays as it is. Write another test beside it.`,
    ];
  });
}

/** Rows of classes that have a test from a class which runs none itself, told by the name of the method. */
function inheritingRows({ matrix, file, name }: { matrix: Matrix; file: string; name: string }): MatrixRow[] {
  const method = name.split('::').at(-1) ?? '';
  if (!name.includes('::') || !isTestName(method)) return [];
  return matrix.rows.filter(
    ({ testId }) => testId.startsWith(folderOf(file)) && qualifiedNameOf(testId).endsWith(`::${method}`),
  );
}

/** Rows of a test, or of the tests of a class. */
export function rowsOf({ matrix, file, test }: { matrix: Matrix; file: string; test: string }): MatrixRow[] {
  return matrix.rows.filter((row) => {
    const name = qualifiedNameOf(row.testId);
    return fileOf(row.testId) === file && covers({ definition: test, name });
  });
}
