import { expect, test } from 'vitest';
import type { Cell, MatrixRow } from '../../src/core/matrix.js';
import type { OutcomeStatus } from '../../src/core/outcome.js';
import { groupsOfOneTest } from '../../src/core/row-groups.js';
import type { RowClass } from '../../src/core/suite.js';
import { suiteWith } from './outcomes.js';

const cell = (status: OutcomeStatus): Cell => ({ status, phase: 'call', message: '', reruns: [] });

function row(testId: string, second: OutcomeStatus, more: Partial<MatrixRow> = {}): MatrixRow {
  const cells = { c1: cell('passed'), c2: cell(second) };
  const rest = { origin: 'original', step: 0, kind: 'differential', base: cell('passed'), judgement: null } as const;
  return { testId, cells, ...rest, ...more };
}

const judged = (rowClass: RowClass) => ({ judgement: { class: rowClass, quote: '', reason: '' } });

test('rows of one test that ended and were judged alike are one group', () => {
  const suite = suiteWith([{ op: 'create', file: 'tests/__init__.py', name: 'Mixin::test_new', step: 1 }]);
  const created = { origin: 'created', step: 1 } as const;
  const rows = [
    row('tests/t.py::test_a[1]', 'failed'),
    row('tests/t.py::A::test_new', 'failed', created),
    row('tests/t.py::test_a[2]', 'failed'),
    row('tests/t.py::test_a[3]', 'error'),
    row('tests/t.py::test_a[4]', 'failed', { base: cell('failed') }),
    row('tests/t.py::test_a[5]', 'failed', judged('issue')),
    row('tests/t.py::test_b', 'failed'),
    row('tests/u.py::test_a[1]', 'failed'),
    row('tests/u.py::B::test_new', 'failed', created),
    row('tests/t.py::A::test_old', 'failed'),
    row('tests/u.py::B::test_old', 'failed'),
  ];
  const definitionOf = (testId: string): string =>
    testId.endsWith('test_old') ? 'tests/__init__.py Mixin::test_old' : testId.replace(/\[.*/, '');
  expect(
    groupsOfOneTest({ rows, suite, definitionOf }).map((group) => group.map((each) => rows.indexOf(each))),
  ).toEqual([[0, 2], [1, 8], [3], [4], [5], [6], [7], [9, 10]]);
});
