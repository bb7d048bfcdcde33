import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Documents } from '../../../src/core/momentum/corpus.js';
import { mineBlocks } from '../../../src/core/momentum/mine-blocks.js';
import { asSet, asWords, database, functions, letters } from './databases.js';

function mined({
  documents,
  minSupport,
  keep = 'maximal',
}: {
  documents: Documents;
  minSupport: number;
  keep?: 'maximal' | 'closed';
}): string[] {
  return asWords(mineBlocks({ documents, minSupport, keep }));
}

describe('mineBlocks', () => {
  it('answers maximal frequent blocks in canonical order', () => {
    const documents = letters('abcx', 'abcy', 'zabc', 'bcq', 'bcq');
    expect(mined({ documents, minSupport: 2 })).toEqual(['abc:3', 'bcq:2']);
  });

  it('keeps what more suites share beside the longer block that fewer do', () => {
    const documents = letters('pabcq', 'pabcq', 'xabcy');
    expect(mined({ documents, minSupport: 2 })).toEqual(['pabcq:2']);
    expect(mined({ documents, minSupport: 2, keep: 'closed' })).toEqual(['abc:3', 'pabcq:2']);
  });

  it('stays inside one function', () => {
    expect(mined({ documents: functions(['ab', 'cd'], ['abcd'], ['cd', 'ab']), minSupport: 2 })).toEqual([
      'ab:3',
      'cd:3',
    ]);
  });

  it('counts a suite once, however often the block stands in it', () => {
    expect(mined({ documents: functions(['xyz', 'xyz'], ['pqxy'], ['qrs']), minSupport: 2 })).toEqual(['xy:2', 'q:2']);
    expect(mined({ documents: letters('aaaa', 'aa'), minSupport: 2 })).toEqual(['aa:2']);
  });

  it('answers every function for support 1, and nothing for more than there are suites', () => {
    expect(mined({ documents: functions(['ab', 'b'], ['cd']), minSupport: 1 })).toEqual(['ab:1', 'cd:1']);
    expect(mined({ documents: letters('ab', 'ab'), minSupport: 3 })).toEqual([]);
    expect(mined({ documents: [], minSupport: 1 })).toEqual([]);
    expect(mined({ documents: functions([], ['', 'a'], ['a']), minSupport: 2 })).toEqual(['a:2']);
  });

  it('names the first place in the newest suite that holds the block', () => {
    const [block] = mineBlocks({
      documents: functions(['ab'], ['x', 'zababq'], ['q']),
      minSupport: 2,
      keep: 'maximal',
    });
    expect(block?.end).toEqual({ document: 1, sequence: 1, index: 2 });
  });

  const minimum = fc.integer({ min: 1, max: 4 });

  it.each(['maximal', 'closed'] as const)('finds exactly the %s blocks that plain enumeration finds', (keep) => {
    fc.assert(
      fc.property(database, minimum, (documents, minSupport) => {
        const found = mineBlocks({ documents, minSupport, keep });
        expect(asSet(found)).toEqual(asSet(enumerate({ documents, minSupport, keep })));
      }),
      { numRuns: 400 },
    );
  });

  it('keeps, as closed, the maximal blocks at every threshold', () => {
    fc.assert(
      fc.property(database, minimum, (documents, minSupport) => {
        const ladder = documents
          .map((_, index) => index + 1)
          .filter((threshold) => threshold >= minSupport)
          .flatMap((threshold) => mineBlocks({ documents, minSupport: threshold, keep: 'maximal' }));
        expect(new Set(asSet(ladder))).toEqual(new Set(asSet(mineBlocks({ documents, minSupport, keep: 'closed' }))));
      }),
    );
  });

  it('does not depend on the order of suites and functions', () => {
    fc.assert(
      fc.property(database, minimum, (documents, minSupport) => {
        const turned = documents.map((suite) => [...suite].reverse()).reverse();
        const answer = (these: Documents) =>
          mineBlocks({ documents: these, minSupport, keep: 'closed' }).map(({ items, support }) => ({
            items,
            support,
          }));
        expect(answer(turned)).toEqual(answer(documents));
      }),
    );
  });

  it('stays near-linear on suites that are long and alike', () => {
    const suite = (seed: number) => [
      Array.from({ length: 2000 }, (_, index) => (index * index + (index % 97 === seed ? seed : 0)) % 251),
    ];
    const before = performance.now();
    mineBlocks({ documents: Array.from({ length: 8 }, (_, seed) => suite(seed)), minSupport: 2, keep: 'closed' });
    // One statement repeated, and neighbours swapped: long chains of suffixes, and many small blocks.
    const repeated = (length: number) => [Array.from({ length }, () => 7)];
    expect(mined({ documents: [repeated(8000), repeated(9000)], minSupport: 2 })).toHaveLength(1);
    const pairs = Array.from({ length: 4000 }, (_, index) => index);
    const swapped = pairs.map((item) => item ^ 1);
    expect(mined({ documents: [[pairs], [swapped]], minSupport: 2 })).toHaveLength(4000);
    // Quadratic work on 16,000 statements takes minutes; this leaves a busy machine a factor of twenty.
    expect(performance.now() - before).toBeLessThan(4000);
  });
});

interface Found {
  readonly items: readonly number[];
  readonly support: number;
}

/** The definition, word for word. */
function enumerate({
  documents,
  minSupport,
  keep,
}: {
  documents: Documents;
  minSupport: number;
  keep: 'maximal' | 'closed';
}): Found[] {
  const supports = new Map<string, number>();
  for (const suite of documents) {
    const own = new Set(suite.flatMap(blocksOf));
    for (const block of own) supports.set(block, (supports.get(block) ?? 0) + 1);
  }
  const frequent = [...supports].filter(([, support]) => support >= minSupport);
  const within = (block: string, other: string) => block !== other && ` ${other} `.includes(` ${block} `);
  return frequent
    .filter(
      ([block, support]) =>
        !frequent.some(([other, its]) => within(block, other) && (keep === 'maximal' || its === support)),
    )
    .map(([block, support]) => ({ items: block.split(' ').map(Number), support }));
}

function blocksOf(sequence: readonly number[]): string[] {
  return sequence.flatMap((_, start) =>
    sequence.slice(start).map((_item, length) => sequence.slice(start, start + length + 1).join(' ')),
  );
}
