import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/core/suite.js';
import { checkSubmission } from '../../../src/methods/testgrad/submission.js';
import { ISSUE, matrix, row } from './subjects.js';

const P = 'passed';
const context = {
  issue: ISSUE,
  matrix: matrix([
    row({ testId: 'tests/test_lru.py::LRU::test_passes', cells: [P, P, P, P] }),
    row({ testId: 'tests/test_lru.py::LRU::test_fails_on_base[1]', cells: [P, P, P, P], base: 'failed' }),
    row({
      testId: 'tests/test_lru.py::test_stale',
      cells: ['failed', P, P, P],
      kind: 'differential',
      judgement: { class: 'stale', quote: 'q', reason: 'r' },
    }),
    row({ testId: 'tests/test_lru.py::test_sizes[1-a]', cells: [P, P, P, P] }),
    row({ testId: 'tests/test_lru.py::test_sizes[2-a]', cells: [P, P, P, P] }),
    row({ testId: 'tests/test_lru.py::test_sizes[2-b]', cells: [P, P, P, P], base: 'failed' }),
    row({ testId: 'tests/test_lru.py::test_flaky', cells: [P, P, P, P], base: 'failed', kind: 'flaky' }),
    row({ testId: 'tests/test_lru.py::test_mine', cells: [P, P, P, P], origin: 'created', step: 1 }),
  ]),
};

const create = (more: Partial<Extract<Operation, { op: 'create' }>> = {}): Operation => ({
  op: 'create',
  file: 'tests/test_lru.py',
  name: 'test_a',
  source: '@mark.slow\ndef test_a():\n    assert 1\n',
  ...more,
});
const remove = (test: string, obsoleteBecause = 'I do not like it.'): Operation => ({
  op: 'delete',
  file: 'tests/test_lru.py',
  test,
  obsoleteBecause,
});
const check = (operations: readonly Operation[], diagnosis = 'All pass.') =>
  checkSubmission({ edit: { diagnosis, failedDirection: '', reuse: [], operations }, context });
const refusals = (...operations: Operation[]) => {
  const checked = check(operations);
  return checked.kind === 'refused' ? checked.refusals.join('\n') : 'accepted';
};

describe('a submission', () => {
  it('is accepted with its paths normalised', () => {
    const checked = check([create({ file: './tests//unit\\../test_lru.py' }), create({ file: 'tests/new/test_b.py' })]);
    expect(checked).toMatchObject({
      kind: 'accepted',
      edit: { operations: [{ file: 'tests/test_lru.py' }, { file: 'tests/new/test_b.py' }] },
    });
  });

  it.each([
    '/etc/test_x.py',
    '../tests/test_x.py',
    'tests/../../test_x.py',
    'C:\\tests\\test_x.py',
    '\\\\host\\tests\\test_x.py',
    'tests/.git/test_x.py',
    'tests/test_\0x.py',
    '..',
    '.',
  ])('may not leave the repository: %j', (file) => {
    expect(refusals(create({ file }))).toContain('leaves the repository');
  });

  it.each([
    ['src/cachetools/__init__.py', 'product code'],
    ['tests/../src/cachetools/keys.py', 'product code'],
    ['tests/data.json', 'only Python'],
    ['pytest.ini', 'only Python'],
  ])('may not touch %s', (file, why) => {
    expect(refusals(create({ file }))).toContain(why);
    expect(refusals({ ...remove('test_mine'), file })).toContain(why);
  });

  it.each([
    [
      'another name',
      create({ source: 'def test_b():\n    test_a = 1\n    assert test_a\n'.replace('test_a = 1', 'pass') }),
    ],
    ['a name only in a call', create({ source: 'def test_ab():\n    test_a()\n' })],
    [
      'a name that is a pattern',
      { op: 'update', file: 'tests/t.py', test: 'A::.*', source: 'def x(): 1', staleBecause: 'y' } as const,
    ],
  ])('defines what it names: not %s', (_what, operation) => {
    expect(refusals(operation)).toContain('does not define');
  });

  it.each([
    create({ source: 'async def test_a():\n    pass' }),
    create({ name: 'Helper', source: 'class Helper(Base):\n    pass' }),
    create({ name: 'CASES', source: 'CASES = [1]' }),
    {
      op: 'update',
      file: 'tests/t.py',
      test: 'LRU::test_a',
      source: 'def test_a(self): pass',
      staleBecause: 'y',
    } as const,
  ])('may define functions, classes and constants: %j', (operation) => {
    expect(refusals(operation)).toBe('accepted');
  });

  it('has sources at column 0, imports that import, plain names and no novels', () => {
    expect(refusals(create({ source: '    def test_a(self):\n        pass' }))).toContain('column 0');
    expect(refusals(create({ imports: ['import os', 'os.remove("x")'] }))).toContain(
      '"os.remove("x")" is not an import',
    );
    expect(refusals(create({ name: 'LRU::test_a' }))).toContain('plain Python name');
    expect(refusals(create({ source: `def test_a():\n    ${'x'.repeat(20_001)}` }))).toContain('longer than');
  });

  it('says why: diagnosis and staleBecause', () => {
    expect(check([create()], '  ')).toMatchObject({
      kind: 'refused',
      refusals: [expect.stringContaining('`diagnosis`')],
    });
    const blank = {
      op: 'update',
      file: 'tests/t.py',
      test: 'test_a',
      source: 'def test_a(): pass',
      staleBecause: ' ',
    } as const;
    expect(refusals(blank)).toContain('`staleBecause`');
  });

  it('has between one and twenty operations', () => {
    expect(check([])).toMatchObject({ kind: 'refused' });
    const many = Array.from({ length: 21 }, (_, n) => create({ name: `test_${n}`, source: `def test_${n}(): pass` }));
    expect(check(many)).toMatchObject({ kind: 'refused', refusals: [expect.stringContaining('21 operations')] });
    expect(check(many.slice(1)).kind).toBe('accepted');
  });

  it('does not address one test twice', () => {
    expect(refusals(create(), create())).toContain('tests/test_lru.py::test_a');
    expect(refusals(create({ className: 'A' }), create({ className: 'B' }), create())).toBe('accepted');
    const update = {
      op: 'update',
      file: './tests/test_lru.py',
      test: 'test_mine',
      source: 'def test_mine(): 1',
      staleBecause: 'x',
    } as const;
    expect(refusals(update, remove('test_mine'))).toContain('Two operations');
    expect(refusals(update, remove('tests/test_lru.py::test_mine'))).toContain('Two operations');
    const row = (id: string) => ({ ...update, test: `test_mine[${id}]`, source: '(1, 2)' });
    expect(refusals(row('a'), row('b'))).toBe('accepted');
    expect(refusals(row('a'), row('a'))).toContain('address tests/test_lru.py::test_mine[a]');
    expect(refusals(row('a'), update)).toContain('Two operations');
    const whole = { className: 'TestA', source: 'class TestA:\n    def test_a(self): pass' };
    expect(refusals(create(whole), create({ name: 'TestA', source: whole.source }))).toContain('test_lru.py::TestA;');
  });

  it('names every problem at once', () => {
    expect(check([create({ file: 'src/x.py' }), remove('LRU::test_passes')])).toMatchObject({
      refusals: [
        expect.stringMatching(/^Operation 1 \(create src\/x\.py::test_a\)/),
        expect.stringMatching(/^Operation 2/),
      ],
    });
  });
});

describe('a delete', () => {
  it('needs evidence', () => {
    expect(refusals(remove('LRU::test_passes'))).toContain('only with evidence');
    expect(refusals(remove('test_unknown'))).toContain('only with evidence');
    expect(refusals(remove('LRU::test_passes', 'The issue says so: "everything is different now".'))).toContain(
      'evidence',
    );
  });

  it.each([
    ['fails on the base', remove('LRU::test_fails_on_base')],
    ['was judged stale', remove('test_stale')],
    ['was created by an update', remove('test_mine')],
    [
      'is overturned by a quoted sentence',
      remove('LRU::test_passes', 'popitem() is called while the total would not fit, and not once more.'),
    ],
    [
      'is overturned by a quote in an explanation',
      remove(
        'LRU::test_passes',
        'It expects an extra call, but “called while the total would not fit, and not once more”.',
      ),
    ],
  ])('is accepted when the test %s', (_why, operation) => {
    expect(refusals(operation)).toBe('accepted');
  });

  it('needs every run of what it removes to be obsolete, and names those that are', () => {
    expect(refusals(remove('LRU'))).toMatch(/of its 2 runs 1 fail on the base.*test_fails_on_base\[1\]/);
    expect(refusals(remove('test_sizes'))).toMatch(/of its 3 runs 1 fail on the base.*test_sizes\[2-b\]/);
    expect(refusals(remove('test_sizes[2-b]'))).toBe('accepted');
    expect(refusals(remove('tests/test_lru.py::test_sizes[b]'))).toBe('accepted');
    expect(refusals(remove('test_sizes[2-a]'))).toContain('only with evidence');
  });

  it('does not count what changes from run to run', () => {
    expect(refusals(remove('test_flaky'))).toContain('only with evidence');
  });
});
