import { expect, test } from 'vitest';
import type { CheckerTurnResult } from '../../src/activities/contract.js';
import type { PreparedCandidate } from '../../src/core/candidate.js';
import type { DecidingTest } from '../../src/core/decision.js';
import type { LoopState } from '../../src/core/loop-state.js';
import type { Score } from '../../src/core/matrix.js';
import { presetSettings } from '../../src/core/settings.js';
import { NO_USAGE } from '../../src/core/usage.js';
import { check } from '../../src/workflows/decide.js';
import type { LoopInput } from '../../src/workflows/loop.js';

const REF = { digest: '', bytes: 0, mediaType: '' };

const candidate = (id: string): PreparedCandidate => ({
  ...{ kind: 'usable', id, agent: id, label: id, treeId: id, sameAs: id, sourcePatch: REF },
  ...{ changedFiles: [], setAside: [], added: 0, removed: 0 },
});
const proof = (testId: string): DecidingTest => ({ testId, origin: 'created', step: 1, class: 'issue', quote: '' });

/** The verdict on two leaders and one behind when the checker's activity gives this. */
async function verdict(answer: Partial<CheckerTurnResult>) {
  const result: CheckerTurnResult = {
    ...{ selectedId: null, decidingTests: [], reason: '', usable: false, conversation: REF, usage: NO_USAGE },
    passCounts: { c1: 3, c2: 5, c3: 1 },
    ...answer,
  };
  const state = {
    ...{ candidates: ['c1', 'c2', 'c3'].map(candidate), usage: [], trail: { conversations: [] } },
    ...{ step: 1, leaders: ['c1', 'c2'], failedInLead: 0 },
  } as unknown as LoopState;
  const score = { leaders: ['c1', 'c2'], loss: 0, counts: { evidence: 2 } } as unknown as Score;
  const loop = {
    call: async () => result,
    run: { runId: 'run', instance: REF, settings: presetSettings({ preset: 'balanced', model: 'm' }) },
    board: { update: () => undefined },
  } as unknown as LoopInput;
  return (await check({ loop, scored: { state, score, matrix: REF }, end: 'steps' })).verdict;
}

test('a choice by rule is proven by the evidence that the chosen one passes', async () => {
  const evidence = [
    { test: proof('t.py::both'), passedBy: ['c1', 'c2'] },
    { test: proof('t.py::other'), passedBy: ['c1'] },
  ];
  expect(await verdict({ evidence })).toMatchObject({
    kind: 'differential',
    selectedId: 'c2',
    chosenBy: 'rule',
    decidingTests: [proof('t.py::both')],
  });
});

test('a choice by rule on the result of an earlier version names no test', async () => {
  expect(await verdict({})).toMatchObject({ selectedId: 'c2', chosenBy: 'rule', decidingTests: [] });
});

test('a choice of the checker is proven by the tests it names', async () => {
  const evidence = [{ test: proof('t.py::both'), passedBy: ['c1', 'c2'] }];
  const answer = {
    usable: true,
    selectedId: 'c1',
    decidingTests: [proof('t.py::other')],
    reason: 'It holds.',
    evidence,
  };
  expect(await verdict(answer)).toMatchObject({ selectedId: 'c1', decidingTests: [proof('t.py::other')] });
});
