import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentAgreement, uniqueSolves } from '../../../src/core/metrics/agreement.js';
import { benchmarkSummary } from '../../../src/core/metrics/benchmark-summary.js';
import { candidateTable } from '../../../src/core/metrics/candidate-table.js';
import { compareMethods } from '../../../src/core/metrics/compare.js';
import { precisionByDecision } from '../../../src/core/metrics/decided.js';
import { decidedByOf } from '../../../src/core/metrics/decided-by.js';
import { ensembleLines } from '../../../src/core/metrics/ensemble.js';
import { headroomCaptured } from '../../../src/core/metrics/headroom.js';
import { methodTable } from '../../../src/core/metrics/method-table.js';
import { momentumByStep } from '../../../src/core/metrics/momentum-sizes.js';
import { overheadOf } from '../../../src/core/metrics/overhead.js';
import { passAtOne } from '../../../src/core/metrics/pass-at-one.js';
import { reconcile } from '../../../src/core/metrics/reconcile.js';
import { methodLines } from '../../../src/core/metrics/records-by-method.js';
import { separationsByOrigin, separationValue, stepsToSeparation } from '../../../src/core/metrics/separations.js';
import { NO_USAGE } from '../../../src/core/usage.js';
import { candidatesOf, recordOf } from './records.js';

const tableOf = (...lines: readonly string[]) =>
  candidateTable(lines.map((letters, index) => recordOf({ instanceId: `i${index}`, letters })));

test('oracle, expected and adversary of five instances and three agents, by hand', () => {
  const lines = ensembleLines(tableOf('yyn', 'nyy', 'nnn', 'yyy', 'ynn'));
  expect(
    lines.map(({ n, added, addedRate, oracle, expected, adversary }) => [
      n,
      added,
      addedRate,
      oracle,
      expected,
      adversary,
    ]),
  ).toEqual([
    [1, 'a1', 3 / 5, 3 / 5, 3 / 5, 3 / 5],
    [2, 'a2', 3 / 5, 4 / 5, 3 / 5, 2 / 5],
    [3, 'a3', 2 / 5, 4 / 5, (2 / 3 + 2 / 3 + 0 + 1 + 1 / 3) / 5, 1 / 5],
  ]);
  expect(lines.map(({ best }) => best.agent)).toEqual(['a1', 'a1', 'a1']);
});

test('more agents never lower the oracle nor raise the adversary, and the expectation lies between', () => {
  const row = fc.string({ unit: fc.constantFrom('y', 'n', '?'), minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const lines = ensembleLines(tableOf(...rows));
      for (const [index, line] of lines.entries()) {
        const before = lines[index - 1] ?? line;
        expect(line.oracle).toBeGreaterThanOrEqual(before.oracle);
        expect(line.adversary).toBeLessThanOrEqual(before.adversary);
        expect(line.expected).toBeLessThanOrEqual(line.oracle + 1e-12);
        expect(line.expected).toBeGreaterThanOrEqual(line.adversary - 1e-12);
        expect(line.best.rate).toBeLessThanOrEqual(line.oracle);
      }
    }),
  );
});

test('a missing prediction resolves nothing, and what nobody graded is counted', () => {
  const [record] = [recordOf({ instanceId: 'i', letters: 'y?' })];
  const missing = {
    ...record,
    candidates: [...candidatesOf('y'), { agent: 'a2', state: 'missing', resolution: 'unresolved' }],
  };
  expect(ensembleLines(candidateTable([missing as typeof record])).at(1)).toMatchObject({
    adversary: 0,
    expected: 0.5,
  });
  expect(ensembleLines(candidateTable([record])).map(({ unknown }) => unknown)).toEqual([0, 1]);
});

// The paper's table for N = 4: 396, 421 and 435 of 500.
test('headroom of the published figures', () => {
  expect(headroomCaptured({ rate: 0.842, best: 0.792, oracle: 0.87 })).toBeCloseTo(25 / 39, 12);
  expect(headroomCaptured({ rate: 0.806, best: 0.792, oracle: 0.87 })).toBeCloseTo(7 / 39, 12);
  expect(headroomCaptured({ rate: 0.786, best: 0.792, oracle: 0.87 })).toBeLessThan(0);
  expect(headroomCaptured({ rate: 0.5, best: 0.5, oracle: 0.5 })).toBeNull();
});

/** 500 instances with four agents whose single rate, oracle and selection are the published ones. */
const published = Array.from({ length: 500 }, (_, index) => {
  const first = index < 396;
  const any = index < 435;
  const letters = `${first ? 'y' : 'n'}${any ? 'y' : 'n'}nn`.replace(/^yy/, 'yn');
  const selected = index < 421;
  return recordOf({ instanceId: `i${index}`, letters, method: 'testgrad', chosen: selected ? (first ? 0 : 1) : 3 });
});
const single = published.map((record) => ({ ...record, method: 'single', chosen: 0 }));

test("the table of methods gives the paper's figures from records that have them", () => {
  const { rows, best, oracle } = methodTable({ records: [...published, ...single], reference: 'single' });
  expect([best.agent, best.rate, oracle]).toEqual(['a1', 0.792, 0.87]);
  const [testgrad, alone] = rows;
  expect(testgrad?.pass).toMatchObject({ instances: 500, resolved: 421, rate: 0.842, unknown: 0, errors: 0 });
  expect(testgrad?.pass.interval?.low).toBeCloseTo(0.8074, 4);
  expect(testgrad?.pass.interval?.high).toBeCloseTo(0.8713, 4);
  expect(testgrad?.gain).toBeCloseTo(0.05, 12);
  expect(testgrad?.headroom).toBeCloseTo(25 / 39, 12);
  expect(testgrad?.against).toMatchObject({ discordant: { onlyLeft: 25, onlyRight: 0, both: 396, neither: 79 } });
  expect(testgrad?.against?.p).toBeCloseTo(2 / 2 ** 25, 12);
  expect(testgrad?.against?.interval?.low).toBeCloseTo(0.032, 2);
  expect(alone?.against).toBeNull();
  expect(() => methodTable({ records: single, reference: 'absent' })).toThrow(RangeError);
});

test('an unfinished method is measured against the best agent on its own instances', () => {
  const half = published.slice(0, 100).map((record) => ({ ...record, method: 'half' }));
  const { rows } = methodTable({ records: [...single, ...half], reference: 'single' });
  expect(rows[1]).toMatchObject({ pass: { instances: 100, rate: 1 }, gain: 0, headroom: null });
  expect(rows[1]?.against).toMatchObject({ instances: 100, difference: 0, p: 1 });
  expect(rows[1]?.against?.onlyInRight).toHaveLength(400);
});

test('Pass@1: errors, nothing selected and what nobody graded count as not resolved, and are counted', () => {
  const records = [
    recordOf({ instanceId: '1', letters: 'yn' }),
    recordOf({ instanceId: '2', letters: 'yn', chosen: 1 }),
    recordOf({ instanceId: '3', letters: '?n' }),
    recordOf({ instanceId: '4', letters: 'yy', chosen: null, decidedBy: 'error' }),
    recordOf({ instanceId: '5', letters: 'yy', chosen: null, decidedBy: 'nothing' }),
  ];
  expect(passAtOne(records)).toMatchObject({
    instances: 5,
    resolved: 1,
    rate: 0.2,
    rateAtMost: 0.4,
    unknown: 1,
    errors: 1,
    nothing: 1,
  });
  expect(passAtOne([])).toMatchObject({ instances: 0, rate: 0, interval: null });
});

test('an expectation is credited by shares, and has no pairs to test', () => {
  const random = ['yn', 'yy', 'nn'].map((letters, index) =>
    recordOf({ instanceId: `i${index}`, letters, chosen: null, among: [0, 1], decidedBy: 'bound' }),
  );
  const picked = ['yn', 'yy', 'nn'].map((letters, index) => recordOf({ instanceId: `i${index}`, letters }));
  expect(passAtOne(random)).toMatchObject({ resolved: 1.5, rate: 0.5, nothing: 0, interval: null });
  expect(compareMethods({ left: picked, right: random })).toMatchObject({
    p: null,
    discordant: null,
    difference: (0.5 + 0 + 0) / 3,
  });
});

test('comparisons are paired by id, whatever the order', () => {
  const left = ['1', '2', '3', '4'].map((instanceId) =>
    recordOf({ instanceId, letters: 'yn', chosen: instanceId === '4' ? 1 : 0 }),
  );
  const right = ['9', '3', '2', '1'].map((instanceId) =>
    recordOf({ instanceId, letters: 'yn', chosen: instanceId === '1' ? 1 : 0 }),
  );
  expect(compareMethods({ left, right })).toMatchObject({
    instances: 3,
    onlyInLeft: ['4'],
    onlyInRight: ['9'],
    discordant: { onlyLeft: 1, onlyRight: 0, both: 2, neither: 0 },
    difference: 1 / 3,
    p: 1,
  });
});

test('precision by how it was decided, over all and over mixed instances', () => {
  const rows = precisionByDecision([
    recordOf({ instanceId: '1', letters: 'yn', decidedBy: 'fallback' }),
    recordOf({ instanceId: '2', letters: 'nn', decidedBy: 'fallback' }),
    recordOf({ instanceId: '3', letters: '?n', decidedBy: 'fallback' }),
    recordOf({ instanceId: '4', letters: 'ny', chosen: 1, decidedBy: 'existing-test' }),
    recordOf({ instanceId: '5', letters: 'ny', chosen: null, decidedBy: 'error' }),
  ]);
  expect(rows.map(({ interval: _, ...row }) => row)).toEqual([
    {
      decidedBy: 'existing-test',
      instances: 1,
      share: 0.2,
      resolved: 1,
      precision: 1,
      graded: 1,
      mixed: { graded: 1, resolved: 1 },
    },
    {
      decidedBy: 'fallback',
      instances: 3,
      share: 0.6,
      resolved: 1,
      precision: 0.5,
      graded: 2,
      mixed: { graded: 1, resolved: 1 },
    },
    {
      decidedBy: 'error',
      instances: 1,
      share: 0.2,
      resolved: 0,
      precision: null,
      graded: 0,
      mixed: { graded: 0, resolved: 0 },
    },
  ]);
});

test.each([
  ['valid', 'ynn', [0], [1]],
  ['valid', 'ynn', [0, 2], [1]],
  ['wrong', 'ynn', [1], [0, 2]],
  ['wrong', 'yy?', [0], [1, 2]],
  ['neutral', 'ynn', [1], [2]],
  ['unknown', 'y?n', [0], [1]],
  ['unknown', 'n?n', [1], [2]],
  ['valid', 'y?n', [0, 1], [2]],
])('a separation is %s: %s, passed %j, failed %j', (value, letters, passed, failed) => {
  expect(separationValue({ separation: { passed, failed }, candidates: candidatesOf(letters) })).toBe(value);
});

const separation = { testId: 't', class: 'issue', passed: [0], failed: [1], deciding: true } as const;

test('separations by origin, and steps until the first', () => {
  const records = [
    recordOf({
      instanceId: '1',
      letters: 'yn',
      separations: [
        { ...separation, origin: 'created', step: 2 },
        { ...separation, origin: 'original', step: 3, deciding: false },
      ],
    }),
    recordOf({ instanceId: '2', letters: 'ny', separations: [{ ...separation, origin: 'created', step: 0 }] }),
    recordOf({ instanceId: '3', letters: 'yn' }),
    recordOf({ instanceId: '4', letters: 'nn', separations: [{ ...separation, origin: 'created', step: 2 }] }),
  ];
  expect(separationsByOrigin({ records })).toEqual([
    { origin: 'original', tests: 1, valid: 1, wrong: 0, neutral: 0, unknown: 0, precision: 1 },
    { origin: 'created', tests: 3, valid: 1, wrong: 1, neutral: 1, unknown: 0, precision: 0.5 },
  ]);
  expect(separationsByOrigin({ records, decidingOnly: true }).map(({ origin }) => origin)).toEqual(['created']);
  expect(stepsToSeparation(records)).toEqual({
    steps: [
      { step: 0, instances: 1, cumulative: 0.25 },
      { step: 1, instances: 0, cumulative: 0.25 },
      { step: 2, instances: 2, cumulative: 0.75 },
    ],
    never: 1,
    mean: 4 / 3,
  });
  expect(stepsToSeparation([])).toEqual({ steps: [], never: 0, mean: null });
});

test('momentum against raw memory by step', () => {
  const memory = (...sizes: readonly [number, number][]) =>
    sizes.map(([momentumTokens, rawTokens], index) => ({ step: index + 1, momentumTokens, rawTokens }));
  const records = [
    recordOf({ instanceId: '1', letters: 'yn', memory: memory([0, 1000], [100, 3000]) }),
    recordOf({ instanceId: '2', letters: 'yn', memory: memory([0, 3000]) }),
    recordOf({ instanceId: '3', letters: 'yn', memory: memory([0, 0]) }),
  ];
  expect(momentumByStep(records)).toEqual([
    { step: 1, instances: 2, momentumTokens: 0, rawTokens: 2000, momentumMax: 0, rawMax: 3000, ratio: null },
    { step: 2, instances: 1, momentumTokens: 100, rawTokens: 3000, momentumMax: 100, rawMax: 3000, ratio: 30 },
  ]);
});

test('overhead: minutes, tokens, and a price only when all prices are known', () => {
  const records = [1, 2, 3, 4].map((number) =>
    recordOf({
      instanceId: `${number}`,
      letters: 'y',
      usage: { ...NO_USAGE, calls: number, inputTokens: 900 * number, outputTokens: 100 * number, usd: 0.01 * number },
      durations: { wallMs: number * 60_000, modelMs: null, executionMs: null },
    }),
  );
  expect(overheadOf(records)).toMatchObject({
    minutes: { mean: 2.5, median: 2.5, p90: 3.7, total: 10 },
    tokens: { mean: 2500, total: 10_000 },
    usd: { total: expect.closeTo(0.1, 12) },
  });
  const unpriced = recordOf({ instanceId: '5', letters: 'y', usage: { ...NO_USAGE, usd: null } });
  expect(overheadOf([...records, unpriced])?.usd).toBeNull();
  expect(overheadOf([])).toBeNull();
});

test("agreement between agents, with Cohen's kappa of a published table", () => {
  // The textbook example of 20, 5, 10 and 15 of 50: agreement 0.7, by chance 0.5, kappa 0.4.
  const lines = [
    ...Array(20).fill('yy'),
    ...Array(5).fill('yn'),
    ...Array(10).fill('ny'),
    ...Array(15).fill('nn'),
    '?y',
  ];
  const table = tableOf(...lines);
  expect(agentAgreement(table)).toEqual([
    {
      left: 'a1',
      right: 'a2',
      instances: 50,
      both: 20,
      onlyLeft: 5,
      onlyRight: 10,
      neither: 15,
      agreement: 0.7,
      kappa: expect.closeTo(0.4, 12),
    },
  ]);
  expect(uniqueSolves(table)).toEqual([
    { agent: 'a1', resolved: 25, unique: 5 },
    { agent: 'a2', resolved: 31, unique: 11 },
  ]);
  expect(agentAgreement(tableOf('yy'))[0]).toMatchObject({ agreement: 1, kappa: null });
  expect(agentAgreement(tableOf('?y'))[0]).toMatchObject({ instances: 0, agreement: null, kappa: null });
});

test('no instance disappears: missing, unexpected and repeated ones are named', () => {
  expect(reconcile({ expected: ['a', 'b', 'c'], finished: ['b', 'x', 'c', 'c'] })).toEqual({
    expected: 3,
    finished: 1,
    missing: ['a'],
    unexpected: ['x'],
    repeated: ['c'],
    complete: false,
  });
  expect(reconcile({ expected: ['a'], finished: ['a'] }).complete).toBe(true);
});

test('lines over N, and tables of the largest N', () => {
  const records = [
    recordOf({ instanceId: '1', letters: 'n', chosen: 0 }),
    recordOf({ instanceId: '1', letters: 'ny', chosen: 1 }),
    recordOf({ instanceId: '2', letters: 'n', chosen: 0 }),
    recordOf({ instanceId: '2', letters: 'nn', chosen: 1 }),
    recordOf({ instanceId: '2', letters: 'nn', chosen: 0 }),
  ];
  expect(methodLines(records).map(({ n, pass }) => [n, pass.rate])).toEqual([
    [1, 0],
    [2, 0.5],
  ]);
  const summary = benchmarkSummary({ records, expected: ['1', '2', '3'], reference: 'm' });
  expect(summary).toMatchObject({ n: 2, agents: ['a1', 'a2'], instances: 3 });
  expect(summary.methods.rows[0]?.pass).toMatchObject({ instances: 2, resolved: 1 });
  expect(summary.details[0]?.reconciliation).toMatchObject({ finished: 1, missing: ['3'], repeated: ['2'] });
  expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
});

test.each([
  ['existing-test', 'differential', ['created', 'original']],
  ['updated-test', 'differential', ['created', 'updated']],
  ['created-test', 'differential', ['created']],
  ['judge', 'differential', []],
  ['equivalent', 'equivalent', []],
  ['single-candidate', 'single', []],
  ['fallback', 'fallback', ['created']],
  ['nothing', 'none-acceptable', []],
  ['nothing', 'no-candidate', []],
] as const)('%s is how a decision of kind %s with tests %j came about', (decidedBy, kind, origins) => {
  const decidingTests = origins.map((origin) => ({ testId: 't', origin, step: 1, class: 'issue', quote: '' }) as const);
  expect(decidedByOf({ kind, decidingTests })).toBe(decidedBy);
});
