import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrapMean, quantileOfSorted } from '../../../src/core/metrics/bootstrap.js';
import { wilsonInterval } from '../../../src/core/metrics/interval.js';
import { mcnemarExact } from '../../../src/core/metrics/mcnemar.js';

// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), Table I,
// method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("Wilson's interval of %i of %i is the published one", (successes, trials, low, high) => {
  const interval = wilsonInterval({ successes, trials });
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test('an interval lies within 0 and 1, holds the share, and mirrors', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (wins, losses) => {
      fc.pre(wins + losses > 0);
      const trials = wins + losses;
      const { low, high } = wilsonInterval({ successes: wins, trials }) ?? { low: 2, high: -1 };
      const mirrored = wilsonInterval({ successes: losses, trials }) ?? { low: 2, high: -1 };
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(wins / trials);
      expect(high).toBeGreaterThanOrEqual(wins / trials);
      expect(1 - mirrored.high).toBeCloseTo(low, 12);
    }),
  );
  expect(wilsonInterval({ successes: 0, trials: 0 })).toBeNull();
});

test.each([
  // By hand: 2 (1 + 12 + 66) / 4096.
  [10, 2, 158 / 4096],
  [2, 10, 158 / 4096],
  [5, 0, 2 / 32],
  [3, 3, 1],
  [0, 0, 1],
  // A. Agresti, "Categorical Data Analysis", 10.1.1: 86 and 150 discordant answers, X² = 17.36, p below 0.0001.
  [86, 150, 3.7e-5],
])('McNemar, exact, with %i and %i discordant pairs', (onlyLeft, onlyRight, p) => {
  const found = mcnemarExact({ onlyLeft, onlyRight });
  expect(Math.abs(found - p) / p).toBeLessThan(0.05);
  if (onlyLeft + onlyRight < 20) expect(found).toBeCloseTo(p, 12);
});

test('McNemar does not underflow', () => {
  expect(mcnemarExact({ onlyLeft: 1000, onlyRight: 1000 })).toBe(1);
  const p = mcnemarExact({ onlyLeft: 600, onlyRight: 700 });
  expect(p).toBeGreaterThan(0.004);
  expect(p).toBeLessThan(0.008);
});

test('the bootstrap is the same for a seed, and near the normal interval of many values', () => {
  const values = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 : 0));
  const first = bootstrapMean({ values, seed: 7 });
  expect(bootstrapMean({ values, seed: 7 })).toEqual(first);
  const uneven = values.map((value, index) => value + index / 997);
  expect(bootstrapMean({ values: uneven, seed: 8 })).not.toEqual(bootstrapMean({ values: uneven, seed: 7 }));
  const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
  expect(first?.low).toBeCloseTo(0.25 - half, 2);
  expect(first?.high).toBeCloseTo(0.25 + half, 2);
  expect(bootstrapMean({ values: [3, 3], seed: 1 })).toEqual({ low: 3, high: 3 });
  expect(bootstrapMean({ values: [], seed: 1 })).toBeNull();
});

test.each([
  [0, 1],
  [0.25, 1.75],
  [0.5, 2.5],
  [0.9, 3.7],
  [1, 4],
])('the quantile at %d of 1, 2, 3, 4 is %d (R, type 7)', (at, value) => {
  expect(quantileOfSorted({ sorted: [1, 2, 3, 4], at })).toBeCloseTo(value, 12);
});
