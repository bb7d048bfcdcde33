import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreparedCandidate } from '../../../src/core/candidate.js';
import { expectedResolved } from '../../../src/methods/expected.js';
import type { MethodInput } from '../../../src/methods/method.js';
import { selectByAdversary, selectByOracle } from '../../../src/methods/oracle/select.js';
import { selectByPassCount } from '../../../src/methods/pass-count/select.js';
import { selectAtRandom } from '../../../src/methods/random/select.js';
import { selectSingle } from '../../../src/methods/single/select.js';
import { excluded, usable } from '../scripted.js';

const inputOf = (candidates: readonly PreparedCandidate[]): MethodInput => ({ instance: 'demo', candidates });
const four = inputOf([usable(0), usable(1), usable(2), usable(3)]);

describe('the bounds', () => {
  it('are an average, the best and the worst that a selection can come to', () => {
    const resolved = [false, true, false, true];
    expect(expectedResolved({ result: selectAtRandom({ input: four }), resolved })).toBe(0.5);
    expect(selectByOracle({ input: four, resolved })).toMatchObject({ method: 'oracle', index: 1 });
    expect(selectByAdversary({ input: four, resolved })).toMatchObject({ method: 'adversary', index: 0 });
    expect(selectByOracle({ input: four, resolved: [false, false, false, false] }).index).toBe(0);
    expect(selectByAdversary({ input: four, resolved: [true, true, true, true] }).index).toBe(0);
  });

  it('hold for every single candidate, and their average is the random choice', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), (resolved) => {
        const input = inputOf(resolved.map((_, index) => usable(index)));
        const singles = resolved.map((_, index) =>
          expectedResolved({ result: selectSingle({ input, index }), resolved }),
        );
        const oracle = expectedResolved({ result: selectByOracle({ input, resolved }), resolved });
        const adversary = expectedResolved({ result: selectByAdversary({ input, resolved }), resolved });
        expect(oracle).toBe(Math.max(...singles));
        expect(adversary).toBe(Math.min(...singles));
        const average = singles.reduce((sum, each) => sum + each, 0) / singles.length;
        expect(expectedResolved({ result: selectAtRandom({ input }), resolved })).toBeCloseTo(average, 12);
      }),
    );
  });

  it('count nothing for no candidate and for one without a known result', () => {
    const none = inputOf([]);
    expect(expectedResolved({ result: selectAtRandom({ input: none }), resolved: [] })).toBe(0);
    expect(selectByOracle({ input: none, resolved: [] }).index).toBeNull();
    expect(expectedResolved({ result: { index: 3 }, resolved: [true] })).toBe(0);
  });
});

describe('a single agent', () => {
  it('stays selected, even with an empty patch', () => {
    const input = inputOf([usable(0), excluded(1)]);
    expect(selectSingle({ input, index: 1 })).toMatchObject({ method: 'single', index: 1, fallback: null });
    expect(() => selectSingle({ input, index: 2 })).toThrow(RangeError);
  });
});

describe('the pass count', () => {
  it('takes the most passed tests, and the first of a tie', () => {
    const select = (passCounts: Record<string, number>) => selectByPassCount({ input: four, passCounts });
    expect(select({ c1: 3, c2: 5, c3: 4, c4: 1 })).toMatchObject({ method: 'pass-count', index: 1 });
    expect(select({ c1: 3, c2: 5, c3: 5, c4: 1 })).toMatchObject({
      index: 1,
      reason: expect.stringContaining('first'),
    });
    expect(select({}).index).toBe(0);
  });

  it('counts for all candidates with a tree what was counted on the first, and never takes an unusable one', () => {
    const input = inputOf([excluded(0), usable(1), usable(2), usable(3, 2)]);
    const result = selectByPassCount({ input, passCounts: { c2: 1, c3: 2 } });
    expect(result.index).toBe(2);
    expect(result.evidence).toContainEqual({ index: 3, fact: 'passes 2 tests' });
    const only = inputOf([excluded(0, 'does-not-apply'), usable(1)]);
    expect(selectByPassCount({ input: only, passCounts: {} }).index).toBe(1);
  });
});
