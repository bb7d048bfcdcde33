import { expect, test } from 'vitest';
import { emptyStep } from '../../src/core/decision.js';
import type { Progress } from '../../src/core/progress.js';
import { summariseRows } from '../../src/core/row-summary.js';
import { currentDetails } from '../../src/workflows/details.js';
import { MATRIX, row } from '../report/fixture.js';

const progress: Progress = {
  phase: 'backward',
  message: 'Optimizer works on update 3',
  step: 2,
  steps: 8,
  turn: 5,
  candidates: ['claude', 'codex', 'open_hands'].map((agent, index) => ({ id: `c${index + 1}`, agent })),
  leaders: ['c2', 'c3'],
  rows: 37,
  differential: 14,
  evidence: 1,
  flaky: 1,
  failedUpdates: 1,
  executedFiles: 14,
  reusedFiles: 20,
  tokens: 212_000,
  usd: 0.09,
  possibleDuplicates: 0,
  paused: false,
};

const steps = [
  { ...emptyStep(0), differential: 13, leaders: ['c1', 'c2', 'c3'], durationMs: 81_400 },
  {
    ...emptyStep(1),
    operations: ['create tests/test_a.py::test_b|c', 'create tests/test_a.py::test_`d'],
    leaders: ['c1', 'c2', 'c3'],
    momentumTokens: 120,
    rawMemoryTokens: 900,
  },
  {
    ...emptyStep(2),
    loss: 0 as const,
    operations: ['update tests/test_a.py::test_e'],
    leaders: ['c2', 'c3'],
    evidence: 1,
  },
];
const rows = [{ testId: 'tests/test_a.py::test_e', class: 'issue', passed: ['c2', 'c3'], failed: ['c1'] }] as const;

test('the details tell phase, what is waited for, steps, separating rows, momentum and what can be sent', async () => {
  await expect(currentDetails({ progress, facts: { steps, rows } })).toMatchFileSnapshot('golden/details.md');
});

test('before anything ran there is no empty table, and a paused run says how it goes on', () => {
  const start = { ...progress, phase: 'prepare' as const, paused: true, leaders: [], turn: 0 };
  const text = currentDetails({ progress: start, facts: { steps: [], rows: [] } });
  expect(text).not.toContain('|---');
  expect(text).toContain('`resume` lets it go on');
  expect(text).toContain('In the lead: not known yet');
});

test('a run that is done waits for nothing and takes no updates', () => {
  const text = currentDetails({ progress: { ...progress, phase: 'done' }, facts: { steps, rows } });
  expect(text).not.toMatch(/Waits for|setBudget/);
});

test('names that a model or an agent chose open no cell, markup or second line', () => {
  const evil = 'x | y\n\n# z `q` <img src=a> [a](http://b)';
  const candidates = [{ id: 'c1', agent: evil }];
  const facts = {
    steps: [{ ...emptyStep(1), operations: [evil], leaders: ['c1'] }],
    rows: [{ testId: evil, class: 'issue' as const, passed: ['c1'], failed: [] }],
  };
  const text = currentDetails({ progress: { ...progress, candidates, leaders: ['c1'], message: evil }, facts });
  const bare = text.replace(/`[^`\n]*`/g, '').replace(/\\./g, '');
  expect(bare).not.toMatch(/[<[#]/);
  for (const line of text.split('\n').filter((each) => each.startsWith('| '))) {
    const cells = line.replace(/\\\|/g, '').split('|').length - 2;
    expect([7, 4], line).toContain(cells);
  }
});

test('details stay far below what Temporal takes, however many steps and rows there are', () => {
  const long = 'tests/test_a.py::test_'.padEnd(500, 'x');
  const many = Array.from({ length: 60 }, (_, step) => ({ ...emptyStep(step), operations: [long], leaders: ['c1'] }));
  const all = Array.from({ length: 60 }, () => ({
    testId: long,
    class: 'issue' as const,
    passed: ['c1'],
    failed: ['c2'],
  }));
  expect(currentDetails({ progress, facts: { steps: many, rows: all } }).length).toBeLessThan(10_000);
});

test('rows that count as evidence come first, and cells that neither pass nor fail are left out', () => {
  const judgement = { class: 'issue', quote: '', reason: '' } as const;
  const told = { ...row({ testId: 't::issue', statuses: ['failed', 'passed', 'timeout', 'skipped'] }), judgement };
  const matrix = {
    ...MATRIX,
    rows: [row({ testId: 't::plain', statuses: ['passed', 'failed', 'passed', 'passed'] }), told],
  };
  const shown = summariseRows({ matrix, limit: 5 });
  expect(shown[0]).toEqual({ testId: 't::issue', class: 'issue', passed: ['c2'], failed: ['c1', 'c3'] });
  expect(shown[1]).toMatchObject({ testId: 't::plain' });
  expect(summariseRows({ matrix, limit: 1 })).toHaveLength(1);
});
