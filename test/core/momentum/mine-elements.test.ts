import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mineElements } from '../../../src/core/momentum/mine-elements.js';
import { mineSequences } from '../../../src/core/momentum/mine-sequences.js';
import { asSet, database, letters } from './databases.js';

/** Sequences written as `a bc d`: the second element holds b and c. */
const written = (...sequences: readonly string[]) =>
  sequences.map((sequence) => [
    sequence.split(' ').map((element) => [...element].map((letter) => letter.charCodeAt(0))),
  ]);
const mined = (input: Parameters<typeof mineElements>[0]): string[] =>
  mineElements(input).patterns.map(
    ({ elements, support }) => `${elements.map((each) => String.fromCharCode(...each)).join(' ')}:${support}`,
  );

describe('mineElements', () => {
  it('answers the example that founded the field', () => {
    // Customers' purchases of Agrawal and Srikant (1995), items 10 to 90 as a to i, at least 25 % of five customers.
    const documents = written('c i', 'ab c dfg', 'ceg', 'c dg i', 'i');
    expect(mined({ documents, minSupport: 2 })).toEqual(['c dg:2', 'c i:2']);
  });

  it('grows elements as well as sequences, and orders by items', () => {
    const documents = written('ab c', 'ab c', 'a b c');
    expect(mined({ documents, minSupport: 2 })).toEqual(['ab c:2']);
    expect(mined({ documents, minSupport: 3 })).toEqual(['a c:3', 'b c:3']);
    expect(mined({ documents, minSupport: 1 })).toEqual(['ab c:2', 'a b c:1']);
  });

  it('skips no more than the gap allows', () => {
    const documents = letters('axb', 'ayyb', 'ab').map((all) => all.map((one) => one.map((item) => [item])));
    expect(mined({ documents, minSupport: 2, maxGap: 1 })).toEqual(['a b:2']);
    expect(mined({ documents, minSupport: 3, maxGap: 1 })).toEqual(['a:3', 'b:3']);
    expect(mined({ documents, minSupport: 3 })).toEqual(['a b:3']);
  });

  it('agrees with the miner of single items', () => {
    fc.assert(
      fc.property(database, fc.integer({ min: 1, max: 3 }), (documents, minSupport) => {
        const single = documents.map((all) => all.map((one) => one.map((item) => [item])));
        const { patterns } = mineElements({ documents: single, minSupport });
        const flat = patterns.map(({ elements, support }) => ({ items: elements.flat(), support }));
        expect(asSet(flat)).toEqual(asSet(mineSequences({ documents, minSupport }).patterns));
      }),
    );
  });

  it('says when it did not get through', () => {
    const documents = written('a b c d e f', 'a b c d e f');
    expect(mineElements({ documents, minSupport: 2, maxNodes: 5 }).complete).toBe(false);
    expect(mineElements({ documents, minSupport: 2 }).complete).toBe(true);
  });
});
