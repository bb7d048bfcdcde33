import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDatabase } from '../../../src/cli/mine/read-database.js';
import { mineDatabase } from '../../../src/core/momentum/mine-database.js';

const answer = (database: object) => mineDatabase(readDatabase({ text: JSON.stringify(database), given: 'FILE' }));

const check = (name: string) => [
  'app.build()',
  `${name}=warning.getvalue()`,
  `assert "genindex" not in ${name}`,
  `assert "search" not in ${name}`,
];

describe('mineDatabase', () => {
  it('mines blocks of statements', () => {
    const sequences = [
      [...check('<v0>'), 'assert app.env'],
      ['app.prepare()', ...check('<v0>')],
      [...check('<v0>'), 'done()'],
    ];
    expect(answer({ semantics: 'contiguous', minSupport: 2, sequences })).toEqual({
      complete: true,
      maximalPatterns: [{ items: check('<v0>'), support: 3 }],
    });
  });

  it('keeps functions apart and orders numbers as numbers', () => {
    const database = { minSupport: 2, segments: true, sequences: [[[10, 9], [2]], [[10], [9, 2]], [[10, 9]]] };
    expect(answer({ ...database, semantics: 'contiguous' }).maximalPatterns).toEqual(
      [
        { items: [2], support: 2 },
        { items: [10, 9], support: 2 },
      ].toSorted((a, b) => b.items.length - a.items.length),
    );
    expect(answer({ ...database, semantics: 'gapped' }).maximalPatterns).toHaveLength(2);
  });

  it('mines with others between, with a gap, and sets', () => {
    const sequences = [
      ['a', 'x', 'b'],
      ['a', 'b'],
      ['a', 'y', 'z', 'b'],
    ];
    const gapped = { semantics: 'gapped', minSupport: 3, sequences };
    expect(answer(gapped).maximalPatterns).toEqual([{ items: ['a', 'b'], support: 3 }]);
    expect(answer({ ...gapped, maxGap: 1 }).maximalPatterns).toEqual([
      { items: ['a'], support: 3 },
      { items: ['b'], support: 3 },
    ]);
    const sets = [
      [['b', 'a'], ['c']],
      [['a', 'b', 'd'], ['c']],
    ];
    expect(answer({ semantics: 'gapped', minSupport: 2, itemsets: true, sequences: sets }).maximalPatterns).toEqual([
      { items: [['a', 'b'], ['c']], support: 2 },
    ]);
  });

  const folder = process.env.TESTGRAD_MINING_GOLDEN;
  it.skipIf(folder === undefined)('answers every case of the folder that TESTGRAD_MINING_GOLDEN names', () => {
    const names = readdirSync(folder ?? '').filter((name) => name.endsWith('.json'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const golden = JSON.parse(readFileSync(join(folder ?? '', name), 'utf8'));
      const expected = { complete: true, maximalPatterns: golden.maximalPatterns };
      expect(JSON.stringify(answer(golden)), name).toBe(JSON.stringify(expected));
    }
  });
});

describe('readDatabase', () => {
  it.each([
    ['{', 'FILE: it is no JSON'],
    ['{"semantics":"gapped","minSupport":0,"sequences":[]}', 'minSupport'],
    ['{"semantics":"fuzzy","minSupport":1,"sequences":[]}', 'semantics'],
    ['{"semantics":"contiguous","minSupport":1,"sequences":[["a",["b"]]]}', 'in sequences, 0.0.1'],
    ['{"semantics":"contiguous","minSupport":1,"maxGap":1,"sequences":[]}', 'gapped semantics'],
    ['{"semantics":"gapped","minSupport":1,"itemsets":true,"sequences":[["a"]]}', 'in sequences, 0.0.0'],
  ])('refuses %s', (text, message) => {
    expect(() => readDatabase({ text, given: 'FILE' })).toThrow(message);
  });
});
