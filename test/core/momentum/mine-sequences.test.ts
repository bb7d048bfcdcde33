import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Documents } from '../../../src/core/momentum/corpus.js';
import { mineSequences } from '../../../src/core/momentum/mine-sequences.js';
import { asSet, asWords, database, functions, letters } from './databases.js';

const mined = (documents: Documents, minSupport: number): string[] => {
  const { patterns, complete } = mineSequences({ documents, minSupport });
  expect(complete).toBe(true);
  return asWords(patterns);
};

describe('mineSequences', () => {
  it('answers maximal frequent sequences with others between, in canonical order', () => {
    expect(mined(letters('caabc', 'abcb', 'cabc', 'abbca'), 2)).toEqual(['cabc:2', 'abb:2', 'aa:2']);
    expect(mined(letters('tcacag', 'gtacta'), 2)).toEqual(['taca:2', 'g:2']);
    expect(mined(letters('abpqr', 'xabqr', 'abqyr'), 2)).toEqual(['abqr:3']);
  });

  it('stays inside one function and counts a suite once', () => {
    expect(mined(functions(['ab', 'cd'], ['acbd'], ['cd', 'cd']), 2)).toEqual(['cd:3', 'ab:2']);
    expect(mined(functions(['ab', 'ab'], ['c']), 2)).toEqual([]);
    expect(mined(letters('aaaa', 'aa'), 2)).toEqual(['aa:2']);
  });

  it('answers every function for support 1, and nothing for more than there are suites', () => {
    expect(mined(functions(['ab', 'b'], ['cd']), 1)).toEqual(['ab:1', 'cd:1']);
    expect(mined(letters('ab', 'ab'), 3)).toEqual([]);
    expect(mined([], 1)).toEqual([]);
  });

  it('finds exactly what plain enumeration finds', () => {
    fc.assert(
      fc.property(database, fc.integer({ min: 1, max: 3 }), (documents, minSupport) => {
        const { patterns, complete } = mineSequences({ documents, minSupport });
        expect(complete).toBe(true);
        expect(asSet(patterns)).toEqual(asSet(enumerate({ documents, minSupport })));
      }),
      { numRuns: 400 },
    );
  });

  it('finds the same where it may keep little to compare', () => {
    fc.assert(
      fc.property(database, fc.integer({ min: 1, max: 3 }), fc.nat(12), (documents, minSupport, maxPlaces) => {
        expect(mineSequences({ documents, minSupport, maxPlaces })).toEqual(mineSequences({ documents, minSupport }));
      }),
    );
  });

  it('finds the same among thousands of other frequent items', () => {
    const others = Array.from({ length: 1100 }, (_, index) => [10 + index]);
    fc.assert(
      fc.property(database, (documents) => {
        const crowded = [...documents, others, others];
        const expected = [
          ...enumerate({ documents, minSupport: 2 }),
          ...others.map((items) => ({ items, support: 2 })),
        ];
        expect(asSet(mineSequences({ documents: crowded, minSupport: 2 }).patterns)).toEqual(asSet(expected));
      }),
      { numRuns: 10 },
    );
  });

  it('answers part of the truth, the same part each time, where the budget ends', () => {
    const [one, other] = swapped(16);
    const documents = [[one], [other]];
    const short = mineSequences({ documents, minSupport: 2, maxNodes: 500 });
    expect(short.complete).toBe(false);
    expect(short.patterns.length).toBeGreaterThan(10);
    expect(mineSequences({ documents, minSupport: 2, maxNodes: 500 })).toEqual(short);
    // One of each swapped pair: these are all of the maximal ones.
    for (const { items, support } of short.patterns) {
      expect(support).toBe(2);
      expect(items.map((item) => item >> 1)).toEqual(Array.from({ length: 16 }, (_, pair) => pair));
    }
  });

  it('is sound under any budget', () => {
    fc.assert(
      fc.property(database, fc.integer({ min: 0, max: 20 }), (documents, maxNodes) => {
        const all = mineSequences({ documents, minSupport: 2 });
        const some = mineSequences({ documents, minSupport: 2, maxNodes });
        expect(asSet(all.patterns)).toEqual(expect.arrayContaining([...asSet(some.patterns)]));
        if (some.complete) expect(some).toEqual(all);
      }),
    );
  });

  it('gets through long suites that are equal, repeat one statement, or share nothing', () => {
    const long = Array.from({ length: 800 }, (_, index) => index);
    const own = Array.from({ length: 4 }, (_, suite) => [long.map((item) => 4 * item + suite)]);
    const before = performance.now();
    expect(mineSequences({ documents: [[long], [long], [long]], minSupport: 2 }).patterns).toEqual([
      { items: long, support: 3 },
    ]);
    const same = long.map(() => 7);
    expect(mineSequences({ documents: [[same], [same.slice(300)]], minSupport: 2 }).patterns).toEqual([
      { items: same.slice(300), support: 2 },
    ]);
    expect(mineSequences({ documents: own, minSupport: 2 }).patterns).toEqual([]);
    expect(performance.now() - before).toBeLessThan(4000);
  });
});

/** Two suites in which neighbours are swapped: 2^pairs maximal sequences. */
const swapped = (pairs: number): readonly [readonly number[], readonly number[]] => {
  const one = Array.from({ length: 2 * pairs }, (_, index) => index);
  return [one, one.map((item) => item ^ 1)];
};

/** The definition, word for word. */
function enumerate({ documents, minSupport }: { documents: Documents; minSupport: number }) {
  const supports = new Map<string, number>();
  for (const suite of documents) {
    for (const one of new Set(suite.flatMap((sequence) => [...subsequences(sequence)]))) {
      supports.set(one, (supports.get(one) ?? 0) + 1);
    }
  }
  const frequent = [...supports].filter(([, support]) => support >= minSupport);
  const inside = (part: readonly string[], whole: readonly string[]): boolean => {
    let matched = 0;
    for (const item of whole) if (item === part[matched]) matched += 1;
    return matched === part.length;
  };
  return frequent
    .filter(([one]) => !frequent.some(([other]) => other !== one && inside(one.split(' '), other.split(' '))))
    .map(([one, support]) => ({ items: one.split(' ').map(Number), support }));
}

function subsequences(sequence: readonly number[]): Set<string> {
  const found = new Set<string>();
  for (let bits = 1; bits < 2 ** sequence.length; bits += 1) {
    found.add(sequence.filter((_, index) => bits & (1 << index)).join(' '));
  }
  return found;
}
