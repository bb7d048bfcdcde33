import { describe, expect, it } from 'vitest';
import { buildMatrix, confirmationOf } from '../../src/core/build-matrix.js';
import type { MatrixRow } from '../../src/core/matrix.js';
import type { CandidateOutcomes } from '../../src/core/outcome.js';
import { type End, run, suiteWith, tests } from './outcomes.js';

function matrixOf({
  columns,
  base = [],
  suite = suiteWith(),
  reruns = 0,
}: {
  columns: Readonly<Record<string, readonly CandidateOutcomes[]>>;
  base?: readonly CandidateOutcomes[];
  suite?: ReturnType<typeof suiteWith>;
  reruns?: number;
}) {
  return buildMatrix({ suite, candidates: Object.keys(columns), columns, base, judgements: {}, reruns });
}

/** The row `t.py::a` of a suite of one test, from each column's ends of it (first run, then reruns). */
function rowOf({
  reruns = 0,
  origin = 'original',
  ends,
}: {
  reruns?: number;
  origin?: 'original' | 'created';
  ends: Readonly<Record<string, readonly End[]>>;
}): MatrixRow {
  const columns = Object.fromEntries(
    Object.entries(ends).map(([id, all]) => [id, all.map((end) => tests({ a: end }))]),
  );
  const suite = suiteWith(origin === 'created' ? [{ op: 'create', file: 't.py', name: 'a', step: 1 }] : []);
  const [row] = matrixOf({ columns, suite, reruns }).rows;
  if (!row) throw new Error('no row');
  return row;
}

describe('row kinds', () => {
  it.each([
    ['passed', 'failed', 'differential'],
    ['passed', 'error', 'differential'],
    ['passed', 'timeout', 'differential'],
    ['passed', 'passed', 'uniform'],
    ['failed', 'error', 'uniform'],
    ['passed', 'skipped', 'uniform'],
    ['passed', 'xfailed', 'uniform'],
    ['passed', 'missing', 'uniform'],
    ['passed', 'infra', 'uniform'],
    ['failed', 'infra', 'uniform'],
  ] as const)('%s next to %s is %s', (left, right, kind) => {
    expect(rowOf({ ends: { c1: [left], c2: [right] } }).kind).toBe(kind);
  });

  it('waits for the reruns of every cell in the contrast', () => {
    const ends = { c1: ['passed', 'passed'], c2: ['failed'], c3: ['skipped'] } as const;
    expect(rowOf({ ends, reruns: 1 }).kind).toBe('unconfirmed');
    expect(rowOf({ ends: { ...ends, c2: ['failed', 'failed'] }, reruns: 1 }).kind).toBe('differential');
    expect(rowOf({ ends: { ...ends, c2: ['failed', 'failed'] }, reruns: 2 }).kind).toBe('unconfirmed');
    expect(rowOf({ ends, reruns: 0 }).kind).toBe('differential');
  });

  it('takes a rerun on which our side broke for no rerun', () => {
    const ends = { c1: ['passed', 'passed'], c2: ['failed', 'infra'] } as const;
    expect(rowOf({ ends, reruns: 1 }).kind).toBe('unconfirmed');
  });

  it('calls a row flaky when a cell changes between runs, even one without a contrast', () => {
    expect(rowOf({ ends: { c1: ['passed', 'passed'], c2: ['failed', 'passed'] }, reruns: 1 }).kind).toBe('flaky');
    expect(rowOf({ ends: { c1: ['passed', 'failed'], c2: ['passed'] } }).kind).toBe('flaky');
    expect(rowOf({ ends: { c1: ['passed', 'missing'], c2: ['failed'] } }).kind).toBe('flaky');
  });

  it('does not call a row flaky that fails in another way each time', () => {
    const ends = { c1: ['passed', 'passed'], c2: ['failed', 'timeout'] } as const;
    expect(rowOf({ ends, reruns: 1 }).kind).toBe('differential');
  });

  it('takes an error in set-up for weak on a test that an update wrote, and for real on an original one', () => {
    const ends = { c1: ['passed'], c2: [['error', 'setup']], c3: [['timeout', 'collect']] } as const;
    expect(rowOf({ ends, origin: 'created' }).kind).toBe('weak');
    expect(rowOf({ ends, origin: 'original' }).kind).toBe('differential');
  });

  it('is not weak when one candidate ran the written test and failed, or erred in the call', () => {
    const setup = ['error', 'setup'] as const;
    const assertion = ['failed', 'setup'] as const;
    expect(rowOf({ origin: 'created', ends: { c1: ['passed'], c2: [assertion] } }).kind).toBe('differential');
    expect(rowOf({ origin: 'created', ends: { c1: ['passed'], c2: [setup], c3: ['failed'] } }).kind).toBe(
      'differential',
    );
    expect(rowOf({ origin: 'created', ends: { c1: ['passed'], c2: [['error', 'call']] } }).kind).toBe('differential');
  });
});

describe('files that did not run through', () => {
  const [passing, broken] = [{ a: 'passed', b: 'failed' }, { state: 'not-collected' }] as const;

  it('get a row of their own, and their tests are missing there', () => {
    const matrix = matrixOf({
      columns: { c1: [run({ 't.py': passing })], c2: [run({ 't.py': broken })] },
      base: [run({ 't.py': passing })],
    });
    const rows = Object.fromEntries(matrix.rows.map((row) => [row.testId, row]));
    expect(Object.keys(rows)).toEqual(['t.py::<collection>', 't.py::a', 't.py::b']);
    const collection = rows['t.py::<collection>'];
    expect(collection?.kind).toBe('differential');
    expect(collection?.cells.c2).toEqual({
      status: 'error',
      phase: 'collect',
      message: 'is not-collected',
      reruns: [],
    });
    expect(collection?.cells.c1?.status).toBe('passed');
    expect(collection?.judgement?.class).toBe('regression');
    expect(rows['t.py::a']?.kind).toBe('uniform');
    expect(rows['t.py::a']?.cells.c2?.status).toBe('missing');
  });

  it('are weak once an update touched the file, and the base cannot vouch for them', () => {
    const columns = { c1: [run({ 't.py': passing })], c2: [run({ 't.py': broken })] };
    const edited = matrixOf({ columns, suite: suiteWith([{ op: 'create', file: 't.py', name: 'b', step: 2 }]) });
    expect(edited.rows[0]).toMatchObject({ testId: 't.py::<collection>', kind: 'weak', origin: 'updated', step: 2 });
    const unknown = matrixOf({ columns, base: [run({ 't.py': broken })] });
    expect(unknown.rows[0]).toMatchObject({ kind: 'differential', judgement: null });
  });

  it('are no regression of an unedited file once an update touched a file that they import', () => {
    const files = (end: typeof passing | typeof broken) => [run({ 'tests/test_a.py': end })];
    const matrix = matrixOf({
      columns: { c1: files(passing), c2: files(broken) },
      base: files(passing),
      suite: suiteWith(
        [{ op: 'create', file: 'tests/__init__.py', name: 'Mixin::test_b', step: 1 }],
        ['tests/test_a.py'],
      ),
    });
    expect(matrix.rows[0]).toMatchObject({ testId: 'tests/test_a.py::<collection>', kind: 'weak', judgement: null });
  });

  it('do not hide other files', () => {
    const matrix = matrixOf({
      columns: {
        c1: [run({ 't.py': broken, 'u.py': { x: 'failed' } })],
        c2: [run({ 't.py': broken, 'u.py': { x: 'passed' } })],
      },
    });
    expect(matrix.rows.map((row) => [row.testId, row.kind])).toEqual([
      ['t.py::<collection>', 'uniform'],
      ['u.py::x', 'differential'],
    ]);
  });

  it('keep what ended before the process died, as behaviour and not as collection', () => {
    const crashed = { state: 'crashed', tests: { a: 'passed' } } as const;
    const suite = suiteWith([{ op: 'create', file: 't.py', name: 'b', step: 1 }]);
    const matrix = matrixOf({ columns: { c1: [run({ 't.py': passing })], c2: [run({ 't.py': crashed })] }, suite });
    expect(matrix.rows.map((row) => [row.testId, row.kind, row.cells.c2?.status])).toEqual([
      ['t.py::<collection>', 'differential', 'error'],
      ['t.py::a', 'uniform', 'passed'],
      ['t.py::b', 'uniform', 'missing'],
    ]);
  });

  it('show a timeout in the running test, or in collection when none was running', () => {
    const running = { state: 'timeout', tests: { a: 'timeout' } } as const;
    const before = { state: 'timeout' } as const;
    const rows = (end: typeof running | typeof before) =>
      matrixOf({ columns: { c1: [run({ 't.py': passing })], c2: [run({ 't.py': end })] } }).rows.map((row) => [
        row.testId,
        row.kind,
      ]);
    expect(rows(running)).toEqual([
      ['t.py::a', 'differential'],
      ['t.py::b', 'uniform'],
    ]);
    expect(rows(before)[0]).toEqual(['t.py::<collection>', 'differential']);
  });

  it('are infra in every row when our side broke', () => {
    const matrix = matrixOf({
      columns: { c1: [run({ 't.py': { a: 'failed' } })], c2: [run({ 't.py': { state: 'infra' } })] },
    });
    expect(matrix.rows.map((row) => [row.kind, row.cells.c2?.status])).toEqual([['uniform', 'infra']]);
  });
});

describe('matrix', () => {
  it('joins the ids of all columns and the base, and gives every candidate a cell', () => {
    const matrix = matrixOf({
      columns: { c1: [tests({ 'a[1::2]': 'passed' })], c2: [tests({ b: 'passed' })], c3: [] },
      base: [tests({ c: 'failed' })],
    });
    expect(matrix.rows.map((row) => row.testId)).toEqual(['t.py::a[1::2]', 't.py::b', 't.py::c']);
    for (const row of matrix.rows) expect(Object.keys(row.cells)).toEqual(['c1', 'c2', 'c3']);
    expect(matrix.rows[0]?.cells.c3?.status).toBe('missing');
    expect(matrix.rows[2]?.base.status).toBe('failed');
  });

  it('uses a judgement only for the version of the test that was judged', () => {
    const columns = { c1: [tests({ a: 'passed' })], c2: [tests({ a: 'failed' })] };
    const judgements = { 't.py::a:1': { class: 'issue', quote: 'q', reason: '' } } as const;
    const at = (step: number) =>
      buildMatrix({
        suite: suiteWith([{ op: 'update', file: 't.py', name: 'a', step }]),
        candidates: ['c1', 'c2'],
        columns,
        base: [],
        judgements,
        reruns: 0,
      }).rows[0]?.judgement;
    expect(at(1)?.quote).toBe('q');
    expect(at(2)).toBeNull();
  });

  it('says what to run again', () => {
    const first = run({ 't.py': { a: 'passed' }, 'u.py': { x: 'passed' } });
    const second = run({ 't.py': { a: 'failed' }, 'u.py': { x: 'passed' } });
    const third = run({ 't.py': { a: 'skipped' }, 'u.py': { x: 'passed' } });
    const columns = { c1: [first, tests({ a: 'passed' })], c2: [second], c3: [third] };
    const matrix = matrixOf({ columns, reruns: 1 });
    expect(confirmationOf({ matrix, reruns: 1 })).toEqual({ files: ['t.py'], candidates: ['c2'] });
    expect(confirmationOf({ matrix: matrixOf({ columns }), reruns: 0 })).toEqual({ files: [], candidates: [] });
  });
});
