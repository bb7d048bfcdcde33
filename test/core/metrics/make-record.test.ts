import { expect, test } from 'vitest';
import type { PreparedCandidate } from '../../../src/core/candidate.js';
import { recordOfChoice, recordOfDecision, recordOfError } from '../../../src/core/metrics/make-record.js';
import { NO_USAGE } from '../../../src/core/usage.js';
import { readInstanceRecord } from '../../../src/report/instance-record-schema.js';
import { decision, row, step, usable } from '../../report/fixture.js';

// The third agent has no prediction, so its neighbours move up among the candidates of the run.
const scored = {
  instanceId: 'acme__slug-1',
  method: 'm',
  agents: [
    { agent: 'a', resolution: 'unresolved' },
    { agent: 'b', resolution: 'resolved' },
    { agent: 'gone', resolution: 'unknown' },
    { agent: 'c', resolution: 'unresolved' },
    { agent: 'bad', resolution: 'unresolved' },
  ],
  durations: { wallMs: 5, modelMs: null, executionMs: 3 },
} as const;

const candidates: readonly PreparedCandidate[] = [
  usable({ id: 'c1', agent: 'a' }),
  usable({ id: 'c2', agent: 'b' }),
  usable({ id: 'c3', agent: 'c', sameAs: 'c1' }),
  { kind: 'excluded', id: 'c4', agent: 'bad', reason: 'malformed', detail: '' },
];

test('a decision: places of agents, outcomes of equal trees, the deciding test, memory and steps', () => {
  const deciding = { testId: 't.py::new', origin: 'created', step: 2, class: 'issue', quote: 'q' } as const;
  const made = recordOfDecision({
    scored,
    decision: decision({
      kind: 'differential',
      selectedId: 'c2',
      selected: 'b',
      candidates,
      decidingTests: [deciding],
      steps: [
        step({ step: 0 }),
        step({ step: 1, momentumTokens: 40, rawMemoryTokens: 900 }),
        step({ step: 2, rawMemoryTokens: 0 }),
      ],
    }),
    matrix: {
      schema: 'testgrad.matrix/1',
      step: 2,
      candidates: ['c1', 'c2'],
      rows: [
        {
          ...row({ testId: 't.py::new', statuses: [], origin: 'created', step: 2, judged: 'issue' }),
          cells: cells('failed', 'passed'),
        },
        { ...row({ testId: 't.py::old', statuses: [], kind: 'flaky' }), cells: cells('failed', 'passed') },
        { ...row({ testId: 't.py::slow', statuses: [] }), cells: cells('passed', 'timeout') },
      ],
    },
  });
  expect(made).toMatchObject({
    chosen: 1,
    among: [],
    decidedBy: 'created-test',
    steps: 2,
    durations: scored.durations,
  });
  expect(made.candidates.map(({ agent, state, resolution }) => `${agent} ${state} ${resolution}`)).toEqual([
    'a usable unresolved',
    'b usable resolved',
    'gone missing unresolved',
    'c usable unresolved',
    'bad excluded unresolved',
  ]);
  expect(made.separations).toEqual([
    { testId: 't.py::new', origin: 'created', class: 'issue', step: 2, passed: [1], failed: [0, 3], deciding: true },
    {
      testId: 't.py::slow',
      origin: 'original',
      class: 'unjudged',
      step: 0,
      passed: [0, 3],
      failed: [1],
      deciding: false,
    },
  ]);
  expect(made.memory).toEqual([{ step: 1, momentumTokens: 40, rawTokens: 900 }]);
  expect(readInstanceRecord(made)).toEqual({ kind: 'record', record: made });
});

const cells = (first: 'passed' | 'failed', second: 'passed' | 'timeout') => {
  const cell = { phase: 'call', message: '', reruns: [] } as const;
  return { c1: { ...cell, status: first }, c2: { ...cell, status: second } };
};

test('a choice counts from the candidates that the method was given', () => {
  const choice = { index: 2, usage: NO_USAGE, fallback: null };
  const made = (over: object) =>
    recordOfChoice({ scored, choice: { ...choice, ...over }, candidates, decidedBy: 'rule' });
  expect(made({})).toMatchObject({ chosen: 3, decidedBy: 'rule' });
  expect(made({ fallback: 'no answer' })).toMatchObject({ chosen: 3, decidedBy: 'fallback' });
  expect(made({ index: null, among: [0, 2] })).toMatchObject({ chosen: null, among: [0, 3], decidedBy: 'rule' });
  expect(made({ index: null })).toMatchObject({ chosen: null, decidedBy: 'nothing' });
});

test('an error keeps what was spent', () => {
  const usage = { ...NO_USAGE, calls: 3 };
  expect(recordOfError({ scored, usage })).toMatchObject({ chosen: null, decidedBy: 'error', usage, steps: 0 });
});
