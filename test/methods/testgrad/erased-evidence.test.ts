import { describe, expect, it } from 'vitest';
import type { Operation, RowClass } from '../../../src/core/suite.js';
import { erasedEvidence } from '../../../src/methods/testgrad/erased-evidence.js';
import { matrix, row } from './subjects.js';

describe('evidence', () => {
  const judged = (testId: string, rowClass: RowClass | null, kind: 'differential' | 'flaky' = 'differential') =>
    row({
      testId,
      cells: ['passed', 'failed', 'passed', 'passed'],
      kind,
      origin: 'created',
      step: 1,
      judgement: rowClass === null ? null : { class: rowClass, quote: '', reason: 'r' },
    });
  const rows = [
    judged('tests/test_lru.py::test_issue[1-a::b]', 'issue'),
    judged('tests/test_lru.py::LRU::test_regression', 'regression'),
    judged('tests/test_lru.py::test_stale', 'stale'),
    judged('tests/test_lru.py::test_open', null),
    judged('tests/test_lru.py::test_flaky', 'issue', 'flaky'),
    judged('tests/unit/test_b.py::B::test_inherited', 'convention'),
    judged('tests/test_own.py::Own::test_inherited', 'stale'),
  ];
  const erased = (op: Operation['op'], file: string, name: string) =>
    erasedEvidence({ changed: [{ op, file, name }], matrix: matrix(rows) });

  it.each([
    ['tests/test_lru.py', 'test_issue'],
    ['tests/test_lru.py', 'LRU::test_regression'],
    ['tests/__init__.py', 'Mixin::test_inherited'],
    ['tests/unit/test_b.py', 'Mixin::test_inherited'],
  ])('is neither updated nor deleted: %s::%s', (file, name) => {
    for (const op of ['update', 'delete'] as const) {
      expect(erased(op, file, name)).toEqual([expect.stringMatching(/ cannot be (changed|deleted): .* is evidence/)]);
    }
  });

  it.each([
    ['tests/test_lru.py', 'test_stale'],
    ['tests/test_lru.py', 'test_open'],
    ['tests/test_lru.py', 'test_flaky'],
    ['tests/test_lru.py', 'test_iss'],
    ['tests/test_lru.py', 'LRU::test_issue'],
    ['other/__init__.py', 'Mixin::test_inherited'],
    // It runs under its own name, so the other is another test.
    ['tests/test_own.py', 'Own::test_inherited'],
    ['tests/__init__.py', 'Mixin::inherited'],
  ])('is not %s::%s', (file, name) => {
    expect(erased('update', file, name)).toEqual([]);
    expect(erased('delete', file, name)).toEqual([]);
  });

  it('is not replaced by a definition in the class that inherits it', () => {
    expect(erased('create', 'tests/unit/test_b.py', 'B::test_inherited')[0]).toContain('cannot be replaced');
    expect(erased('create', 'tests/unit/test_b.py', 'New::test_inherited')).toEqual([]);
  });
});
