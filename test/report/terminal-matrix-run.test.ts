import { expect, test } from 'vitest';
import type { Matrix } from '../../src/core/matrix.js';
import { renderMatrixRun } from '../../src/report/terminal-matrix-run.js';
import { CANDIDATES, MATRIX, row } from './fixture.js';

function render({ matrix = MATRIX, differential }: { matrix?: Matrix; differential: number }): string {
  const flaky = matrix.rows.filter(({ kind }) => kind === 'flaky').length;
  const counts = { rows: matrix.rows.length, uniform: 0, differential, flaky, weak: 0, evidence: 0 };
  const score = { loss: 0, leaders: [], leaderLoss: 0, unconfirmed: [], unjudged: [], counts } as const;
  return renderMatrixRun({
    name: 'shop',
    candidates: CANDIDATES,
    matrix,
    score,
    warnings: ['The base fails 2 tests.'],
    columns: 80,
    colour: false,
  });
}

test('the matrix of the tests as they are', async () => {
  await expect(render({ differential: 3 })).toMatchFileSnapshot('golden/matrix-run-80.txt');
});

test('without a differential test it says so', () => {
  const rows = [row({ testId: 'tests/test_a.py::test_a', statuses: ['passed', 'passed'], kind: 'uniform' })];
  expect(render({ matrix: { ...MATRIX, rows }, differential: 0 })).toContain('1 test: none is differential\n');
});

test('rows that are left out are counted', () => {
  const rows = Array.from({ length: 41 }, (_, index) =>
    row({ testId: `tests/test_a.py::test_${index}`, statuses: ['passed', 'failed'] }),
  );
  expect(render({ matrix: { ...MATRIX, rows }, differential: 41 })).toContain('1 more row is in matrix.json.');
});
