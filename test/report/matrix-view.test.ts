import { expect, test } from 'vitest';
import { legendOf, restText, viewMatrix } from '../../src/report/matrix-view.js';
import { MATRIX } from './fixture.js';

test('tests that a candidate was not run on do not count as agreement, nor as failures', () => {
  const [first] = MATRIX.rows.filter(({ kind }) => kind === 'uniform');
  if (first === undefined) throw new Error('The fixture has uniform rows.');
  const { c1 = first.base, ...others } = first.cells;
  const late = { ...first, testId: 'tests/test_late.py::test_a', cells: others };
  const column = (id: string) => ({ id, title: id, selected: false, source: id });
  const view = viewMatrix({
    matrix: { ...MATRIX, rows: [{ ...first, cells: { ...others, c1 } }, late] },
    columns: ['c1', 'c2'].map(column),
    decidingTests: [],
    maxRows: 8,
  });
  expect(restText({ view, columnId: 'c1' })).toBe('1 ok, 1 -');
  expect(restText({ view, columnId: 'c2' })).toBe('ok');
  expect(legendOf(view)).toBe('- = not run');
});
