import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseInstances, parseSizes, parseSlice } from '../../src/core/benchmark-choose.js';
import { estimateRun } from '../../src/core/benchmark-estimate.js';
import {
  type Arm,
  isSettled,
  itemsOf,
  type PlannedInstance,
  type PlannedSlot,
  patchSlots,
  planCells,
} from '../../src/core/benchmark-plan.js';
import {
  addOutcome,
  addTallies,
  type BenchmarkProgress,
  EMPTY_TALLY,
  etaMs,
  type ItemOutcome,
  isSpent,
  roomIn,
} from '../../src/core/benchmark-progress.js';
import { presetSettings } from '../../src/core/settings.js';

const ref = (digest: string) => ({ digest, bytes: 1, mediaType: 'text/x-diff' });
const slot = (agent: string, word: string): PlannedSlot =>
  word === 'missing' || word === 'empty'
    ? { agent, kind: word }
    : { agent, kind: word === 'excluded' ? 'excluded' : 'patch', patch: ref(word) };
const instanceOf = (...words: readonly string[]): PlannedInstance => ({
  instanceId: 'one',
  row: ref('row'),
  source: { kind: 'docker', image: 'i', timeoutMs: 1 },
  slots: words.map((word, index) => slot(`agent-${index + 1}`, word)),
});

const settings = presetSettings({ preset: 'paper', model: 'm' });
const ARMS: readonly Arm[] = [
  { kind: 'run', name: 'testgrad', method: 'testgrad', ablation: null, settings },
  { kind: 'computed', name: 'oracle', method: 'oracle' },
];

/** Cells as `arm n run`, where a run is named by its patches. */
function planned(instance: PlannedInstance, sizes: readonly number[]): string[] {
  const { slots } = instance;
  const runIdOf = ({ n }: { n: number }): string =>
    patchSlots({ slots, n })
      .map(({ patch }) => patch.digest)
      .join('+');
  const cells = planCells({ instance, arms: ARMS, sizes, runIdOf });
  return cells.map(({ arm, n, runId }) => `${arm} ${n} ${runId ?? '-'}`);
}

test('one run answers every N that has the same patches, and none is needed where there is nothing to select', () => {
  expect(planned(instanceOf('a', 'missing', 'b', 'empty', 'c'), [1, 2, 3, 4, 5])).toEqual([
    'testgrad 5 a+b+c',
    'testgrad 4 a+b',
    'testgrad 3 a+b',
    'testgrad 2 -',
    'testgrad 1 -',
    ...[5, 4, 3, 2, 1].map((n) => `oracle ${n} -`),
  ]);
  expect(planned(instanceOf('a', 'a', 'excluded'), [3])).toEqual(['testgrad 3 -', 'oracle 3 -']);
  expect(isSettled({ slots: instanceOf('empty', 'missing').slots, n: 2 })).toBe(true);
});

test('a run that answers several cells is one item, of the most agents', () => {
  const instance = instanceOf('a', 'b', 'missing');
  const cells = planCells({ instance, arms: ARMS, sizes: [2, 3], runIdOf: () => 'same' });
  expect(itemsOf({ cells, instance: ref('doc') })).toEqual([
    { runId: 'same', instanceId: 'one', arm: 'testgrad', n: 3, instance: ref('doc') },
  ]);
});

const outcome = fc.oneof(
  fc.record({
    kind: fc.constant('finished' as const),
    decidedBy: fc.constantFrom('judge' as const, 'fallback' as const),
    tokens: fc.nat(1000),
    usd: fc.constant(0.25),
    possibleDuplicates: fc.nat(2),
    wallMs: fc.nat(1000),
  }),
  fc.constant<ItemOutcome>({ kind: 'error', code: 'TG-S01', message: '' }),
  fc.constant<ItemOutcome>({ kind: 'cancelled' }),
);
const tallyOf = (outcomes: readonly ItemOutcome[]) =>
  outcomes.reduce((tally, each) => addOutcome({ tally, outcome: each }), EMPTY_TALLY);

test('tallies of parts add up to the tally of all', () => {
  fc.assert(
    fc.property(fc.array(outcome), fc.array(outcome), (left, right) => {
      expect(addTallies({ left: tallyOf(left), right: tallyOf(right) })).toEqual(tallyOf([...left, ...right]));
    }),
  );
  const priced = tallyOf([
    { kind: 'finished', decidedBy: 'rule', tokens: 1, usd: null, possibleDuplicates: 0, wallMs: 1 },
  ]);
  expect(addTallies({ left: EMPTY_TALLY, right: priced }).usd).toBeNull();
});

test('a limit stops when it is reached, and one that cannot be told does not', () => {
  const tally = { ...EMPTY_TALLY, tokens: 100, usd: 2 };
  expect(isSpent({ tally, budget: { maxTokens: 100, maxUsd: null } })).toBe(true);
  expect(isSpent({ tally, budget: { maxTokens: 101, maxUsd: 2 } })).toBe(true);
  expect(isSpent({ tally, budget: { maxTokens: null, maxUsd: null } })).toBe(false);
  expect(isSpent({ tally: { ...tally, usd: null }, budget: { maxTokens: null, maxUsd: 1 } })).toBe(false);
});

const item = (startedMs: number) => ({ index: 0, runId: '', instanceId: '', arm: '', n: 2, startedMs, restarts: 0 });
const progress: BenchmarkProgress = {
  ...{ items: 14, tally: { ...EMPTY_TALLY, finished: 4 }, knownBefore: 0, failed: [], width: 2, paused: false },
  ...{ spent: false, budget: { maxTokens: null, maxUsd: null }, startedMs: 0, timed: { items: 4, wallMs: 400 } },
  running: [item(950), item(980)],
};

test('room and the time that is left follow the window', () => {
  expect(roomIn({ progress })).toBe(0);
  expect(roomIn({ progress: { ...progress, width: 5 } })).toBe(3);
  expect(roomIn({ progress: { ...progress, width: 5, paused: true } })).toBe(0);
  // 8 items of 100 ms wait, 50 and 80 ms of those in work are left: 930 ms in two lanes.
  expect(etaMs({ progress, nowMs: 1_000 })).toBe(465);
  expect(etaMs({ progress: { ...progress, spent: true }, nowMs: 1_000 })).toBe(80);
  expect(etaMs({ progress: { ...progress, timed: { items: 0, wallMs: 0 } }, nowMs: 1_000 })).toBeNull();
  expect(etaMs({ progress: { ...progress, paused: true }, nowMs: 1_000 })).toBeNull();
});

test.each([
  ['0:2', ['a', 'b']],
  ['3:', ['d', 'e']],
  [':-3', ['a', 'b']],
  ['1', ['b']],
  ['-1', ['e']],
  ['-2:', ['d', 'e']],
])('slice %s', (text, chosen) => {
  const slice = parseSlice(text);
  const choice = { ids: null, filter: null, shuffleSeed: null, slice };
  expect(slice).not.toBeNull();
  expect(chooseInstances({ all: ['a', 'b', 'c', 'd', 'e'], choice }).chosen).toEqual(chosen);
});

test('what is no slice or no number of agents is refused', () => {
  for (const text of ['', 'a', '1:2:3', '-', '1.5', '0 :x']) expect(parseSlice(text), text).toBeNull();
  expect(parseSizes({ text: '1..3,2,4', agents: 4 })).toEqual([1, 2, 3, 4]);
  for (const text of ['0', '5', '3..1', '1..', 'x', '', '1,,2']) {
    expect(parseSizes({ text, agents: 4 }), text).toBeNull();
  }
});

test('choices narrow one after the other, and the same seed gives the same order', () => {
  const all = Array.from({ length: 40 }, (_, index) => `p__x-${index}`);
  const choice = {
    ids: ['p__x-3', 'q', ...all.slice(10, 30)],
    filter: /-\d\d$/,
    shuffleSeed: 7,
    slice: { from: 0, to: 5 },
  };
  const { chosen, unknown } = chooseInstances({ all, choice });
  expect(unknown).toEqual(['q']);
  expect(chosen).toHaveLength(5);
  expect(chosen).not.toContain('p__x-3');
  expect(chooseInstances({ all, choice }).chosen).toEqual(chosen);
  expect(chooseInstances({ all, choice: { ...choice, shuffleSeed: 8 } }).chosen).not.toEqual(chosen);
});

test('an estimate counts what is left only, and says nothing of a price that is not known', () => {
  const work = [
    { method: 'testgrad', arm: 'testgrad', items: 500, left: 100 },
    { method: 'pass-count', arm: 'pass-count', items: 500, left: 500 },
  ] as const;
  const estimate = estimateRun({ work, width: 10, price: { input: 1, output: 2 } });
  expect(estimate.tokens).toEqual({ low: 67_000_000, high: 167_000_000 });
  expect(estimate.usd?.low).toBeCloseTo(67 * 1.05);
  expect(estimate.minutes.low).toBeCloseTo((100 * 12.2 + 500 * 7.2) / 10);
  expect(estimateRun({ work, width: 10, price: null }).usd).toBeNull();
});
