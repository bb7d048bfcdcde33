import { describe, expect, it } from 'vitest';
import { buildMatrix } from '../../src/core/build-matrix.js';
import type { CandidateOutcomes, OutcomeStatus } from '../../src/core/outcome.js';
import { suiteWith } from './outcomes.js';

let clock = 0;

/** One execution of a file with one test; every execution takes another time. */
function run(candidate: string, status: OutcomeStatus, testId = 't.py::test_a'): CandidateOutcomes {
  clock += 1;
  const outcome = { testId, status, phase: 'call', message: '', durationMs: 1 } as const;
  const file = { file: 't.py', state: 'ran', reason: '', outcomes: [outcome], imports: {}, durationMs: clock } as const;
  return { schema: 'testgrad.outcomes/1', candidate, files: [file] };
}

const base = [run('base', 'failed')];
const at = (step: number, ...runs: CandidateOutcomes[]) => ({ step, runs });
const suite = (changes: Parameters<typeof suiteWith>[0] = []) => ({ ...suiteWith(changes), step: 4 });
const shared = { candidates: ['c1', 'c2'], base, judgements: {}, reruns: 1 } as const;

describe('runs of earlier steps', () => {
  it('confirm a row whose test has not changed since', () => {
    const columns = { c1: [run('c1', 'passed')], c2: [run('c2', 'failed')] };
    const earlier = { c1: [at(3, run('c1', 'passed'))], c2: [at(3, run('c2', 'failed'))] };
    expect(buildMatrix({ ...shared, suite: suite(), columns }).rows[0]?.kind).toBe('unconfirmed');
    expect(buildMatrix({ ...shared, suite: suite(), columns, earlier }).rows[0]?.kind).toBe('differential');
  });

  it('do not count for a test that changed at this step', () => {
    const columns = { c1: [run('c1', 'passed')], c2: [run('c2', 'failed')] };
    const earlier = { c1: [at(3, run('c1', 'failed'))], c2: [at(3, run('c2', 'failed'))] };
    const changed = suite([{ op: 'update', file: 't.py', name: 'test_a', step: 4 }]);
    expect(buildMatrix({ ...shared, suite: changed, columns, earlier }).rows[0]?.kind).toBe('unconfirmed');
    expect(buildMatrix({ ...shared, suite: suite(), columns, earlier }).rows[0]?.kind).toBe('flaky');
  });

  it('are not confirmed by themselves when a step used their outcome again', () => {
    const [first, second] = [run('c1', 'passed'), run('c2', 'failed')];
    const columns = { c1: [first], c2: [second] };
    const earlier = { c1: [at(3, first)], c2: [at(3, second)] };
    expect(buildMatrix({ ...shared, suite: suite(), columns, earlier }).rows[0]?.kind).toBe('unconfirmed');
  });

  it('stand in for a candidate that was not executed, where they know the test', () => {
    const columns = { c1: [run('c1', 'passed')] };
    const earlier = { c2: [at(3, run('c2', 'failed'), run('c2', 'failed'))], c1: [at(3, run('c1', 'passed'))] };
    const [row] = buildMatrix({ ...shared, suite: suite(), columns, earlier }).rows;
    expect([row?.kind, row?.cells.c2?.status]).toEqual(['differential', 'failed']);
    const fresh = { c1: [run('c1', 'passed', 't.py::test_new')] };
    const matrix = buildMatrix({ ...shared, suite: suite(), columns: fresh, earlier, base: [] });
    expect(matrix.rows.map(({ testId, cells }) => [testId, cells.c2?.status])).toEqual([['t.py::test_new', 'missing']]);
  });
});
