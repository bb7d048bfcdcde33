import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { viewMatrix } from '../../src/report/matrix-view.js';
import { matrixLines } from '../../src/report/terminal-matrix.js';
import { MATRIX } from './fixture.js';

test('how many tests a candidate was not run on is left out before names are cut', () => {
  const [first, ...rows] = MATRIX.rows;
  if (first === undefined) throw new Error('The fixture has rows.');
  const { c1: _, ...cells } = first.cells;
  const column = (id: string) => ({ id, title: `agent-${id}`, selected: false, source: id });
  const view = viewMatrix({
    matrix: { ...MATRIX, rows: [first, { ...first, testId: 'tests/test_late.py::test_a', cells }, ...rows] },
    columns: ['c1', 'c2', 'c3'].map(column),
    decidingTests: [],
    maxRows: 1,
  });
  const shown = (columns: number) => matrixLines({ view, columns, colours: picocolors.createColors(false) }).join('\n');
  expect(shown(100)).toMatch(/other tests .* ok, 1 -/);
  const narrow = 3 + 24 + 3 * (2 + 'agent-c1'.length) + (2 + 'base'.length);
  expect(shown(narrow)).toMatch(/agent-c1 +agent-c2 +agent-c3/);
  expect(shown(narrow)).not.toContain('1 -');
});
