import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMatrix } from '../../../src/methods/testgrad/matrix-view.js';
import { outcomeLine, unlabelledFailures } from '../../../src/methods/testgrad/row-facts.js';
import { cell, LABELS, matrix, row } from './subjects.js';

const P = 'passed';
const F = 'failed';

const rows = [
  row({
    testId: 'tests/test_lru.py::test_bigger',
    cells: [P, cell(F, { message: 'E   assert 7 == 10' }), P, cell(F, { message: 'E   assert 7 == 10' })],
    base: F,
    kind: 'differential',
    origin: 'created',
    step: 2,
    judgement: { class: 'issue', quote: 'and not once more', reason: 'counts the calls' },
  }),
  row({ testId: 'tests/test_ttl.py::test_clock', cells: [cell(P, { reruns: [F] }), P, P, P], kind: 'flaky' }),
  row({
    testId: 'tests/test_lru.py::test_new_name',
    cells: [P, cell('error', { phase: 'collect', message: 'ImportError: no name' }), P, P],
    kind: 'weak',
    origin: 'created',
    step: 1,
  }),
  row({ testId: 'tests/test_lru.py::test_mine', cells: [F, F, F, F], base: F, origin: 'created', step: 1 }),
  ...['a', 'b', 'c'].map((name) => row({ testId: `tests/test_lru.py::test_${name}`, cells: [P, P, P, P] })),
  row({ testId: 'tests/test_ttl.py::test_d', cells: [P, P, P, P] }),
  row({ testId: 'tests/test_ttl.py::test_old_rule', cells: [F, F, F, F], base: P }),
  row({ testId: 'tests/test_ttl.py::test_new_rule', cells: [P, P, P, P], base: F }),
];

describe('the matrix for a model', () => {
  it('shows what differs in full and what agrees as counts', () => {
    expect(
      renderMatrix({ matrix: matrix(rows), labels: LABELS }),
    ).toBe(`Differential rows (pass on some candidate, fail on another): 1
- tests/test_lru.py::test_bigger [created in step 2]
    failed A, B; passed C, D; base failed
    judged issue: "and not once more" counts the calls
    A, B: E   assert 7 == 10

Flaky rows (another result when run again: no evidence): 1
- tests/test_ttl.py::test_clock [original]
    passed A, B, D; passed, then failed C; base passed

Weak rows (a test of an update could not be collected or set up on some candidate: no evidence): 1
- tests/test_lru.py::test_new_name [created in step 1]
    error (collect) A; passed B, C, D; base passed
    A: ImportError: no name

Tests of your updates on which all candidates agree: 1
- tests/test_lru.py::test_mine [created in step 1]
    failed A, B, C, D; base failed
    A, B, C, D: E   assert failed

Original tests on which all candidates agree:
- failing on all candidates, passed on the base: 1 (tests/test_ttl.py::test_old_rule)
- passed on all candidates and on the base: 4 (tests/test_lru.py 3, tests/test_ttl.py 1)
- passed on all candidates, failed on the base: 1 (tests/test_ttl.py::test_new_rule)`);
  });

  it('says so when nothing is differential', () => {
    expect(renderMatrix({ matrix: matrix(rows.slice(3)), labels: LABELS })).toMatch(/^No differential row\.\n/);
    expect(renderMatrix({ matrix: matrix([]), labels: LABELS })).toContain('No differential row.');
  });

  it('shows a failure that hundreds of tests share a few times, and the rows behind it', () => {
    const message = (n: number) => `TypeError: no name\n${'a long traceback '.repeat(20)}${n}`;
    const broken = Array.from({ length: 300 }, (_, n) =>
      row({
        testId: `tests/t.py::test_${n}`,
        cells: [cell(F, { message: message(n) }), P, P, P],
        kind: 'differential',
      }),
    );
    const other = row({
      testId: 'tests/t.py::test_z',
      cells: [P, cell(F, { message: '1 != 2' }), P, P],
      kind: 'differential',
    });
    const text = renderMatrix({ matrix: matrix([...broken, other]), labels: LABELS });
    expect(text.match(/TypeError: no name/g)).toHaveLength(4);
    expect(text).toContain('[296 more that ended and failed as some of these did: tests/t.py::test_4, ');
    expect(text).toContain('1 != 2');
    expect(text.length).toBeLessThan(4_000);
  });

  it('puts parameters of one test with one outcome together', () => {
    const many = ['1', '2', '3'].map((p) =>
      row({ testId: `tests/t.py::test_p[${p}]`, cells: [P, F, P, P], kind: 'differential' }),
    );
    const other = row({ testId: 'tests/t.py::test_p[4]', cells: [F, F, P, P], kind: 'differential' });
    const text = renderMatrix({ matrix: matrix([...many, other]), labels: LABELS });
    expect(text).toContain('Differential rows (pass on some candidate, fail on another): 4');
    expect(text).toContain(
      '- tests/t.py::test_p[1], and 2 more of this name (parameters or classes) with the same outcome [original]',
    );
    expect(text).toContain('- tests/t.py::test_p[4] [original]');
    expect(text).not.toContain('test_p[2]');
  });

  it('is bounded, names what it leaves out, and never shows an id in place of a label', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 500, max: 6000 }), (count, maxChars) => {
        const long = Array.from({ length: count }, (_, n) =>
          row({
            testId: `tests/test_x.py::test_${n}`,
            cells: [P, cell(F, { message: `line ${n % 9}\n`.repeat(n) }), P, P],
            kind: 'differential',
          }),
        );
        const quiet = row({ testId: 'tests/test_quiet.py::test_q', cells: [P, P, P, P] });
        const text = renderMatrix({ matrix: matrix([...long, quiet]), labels: LABELS, maxChars });
        expect(text.length).toBeLessThan(maxChars * 1.2 + 100);
        expect(text).not.toMatch(/\bc[1-4]\b/);
        if (maxChars > 2000)
          expect(text).toContain('passed on all candidates and on the base: 1 (tests/test_quiet.py 1)');
        const shown = text.match(/^- tests/gm)?.length ?? 0;
        if (shown < count) expect(text).toMatch(/\d+ more.*: tests\/test_x\.py|characters left out/);
      }),
      { numRuns: 30 },
    );
  });
});

describe('what the judge gets of a row', () => {
  it('tells neither who failed nor how many', () => {
    const message = 'E   assert 7 == 10';
    const some = row({ testId: 't', cells: [P, cell(F, { message }), P, P] });
    const most = row({ testId: 't', cells: [cell(F, { message }), P, cell(F, { message }), cell(F, { message })] });
    expect(unlabelledFailures({ row: some, maxChars: 100 })).toEqual([message]);
    expect(unlabelledFailures({ row: most, maxChars: 100 })).toEqual([message]);
    const mixed = row({ testId: 't', cells: [cell(F, { message: 'b' }), cell(F, { message: 'a' }), P, P] });
    expect(unlabelledFailures({ row: mixed, maxChars: 100 })).toEqual(['a', 'b']);
  });
});

describe('the outcome line', () => {
  it('orders labels, not candidates, and shows where a test ended', () => {
    const mixed = row({
      testId: 't',
      cells: ['timeout', cell('error', { phase: 'setup' }), 'skipped', P],
      base: 'xfailed',
    });
    expect(outcomeLine({ row: mixed, labels: LABELS })).toBe(
      'error (setup) A; passed B; timeout C; skipped D; base xfailed',
    );
  });
});
