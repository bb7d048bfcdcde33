import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreparedCandidate } from '../../src/core/candidate.js';
import { fallbackOrder, passCountsOf } from '../../src/core/fallback.js';
import { assignLabels, idOfLabel, labelOf } from '../../src/core/labels.js';
import type { Cell, MatrixRow, RowKind } from '../../src/core/matrix.js';
import { seededShuffle } from '../../src/core/random.js';

function usable(id: string, sameAs = id): PreparedCandidate {
  const sourcePatch = { digest: '', bytes: 0, mediaType: 'text/x-diff' };
  const rest = { changedFiles: [], setAside: [], added: 0, removed: 0 };
  return { kind: 'usable', id, agent: id, label: id, treeId: sameAs, sameAs, sourcePatch, ...rest };
}

const excluded: PreparedCandidate = { kind: 'excluded', id: 'c0', agent: 'c0', reason: 'empty', detail: '' };

describe('fallbackOrder', () => {
  const four = [excluded, usable('c1'), usable('c2'), usable('c3', 'c2'), usable('c4')];
  const passCounts = { c1: 5, c2: 1, c4: 7 };

  it('takes the largest class of identical patches, then the pass count, then the order given', () => {
    const choose = (candidates: readonly PreparedCandidate[], counts: Record<string, number>) =>
      fallbackOrder({ candidates, allowed: [], passCounts: counts }).selectedId;
    expect(choose(four, passCounts)).toBe('c2');
    expect(choose([usable('c1'), usable('c2'), usable('c4')], passCounts)).toBe('c4');
    expect(choose([usable('c2'), usable('c1')], {})).toBe('c2');
  });

  it('names the rule that chose', () => {
    const rule = (candidates: readonly PreparedCandidate[], counts: Record<string, number>) =>
      fallbackOrder({ candidates, allowed: [], passCounts: counts }).rule;
    expect(rule(four, passCounts)).toContain('2 candidates make this same change');
    expect(rule([usable('c1'), usable('c4')], passCounts)).toContain('passes 7 tests, the next one 5');
    expect(rule([usable('c1'), usable('c4')], {})).toContain('first in the order given');
    expect(rule([usable('c1')], {})).toContain('only one left');
  });

  it('chooses among the allowed ones only', () => {
    const among = (allowed: readonly string[]) => fallbackOrder({ candidates: four, allowed, passCounts }).selectedId;
    expect(among(['c1', 'c4'])).toBe('c4');
    expect(among(['c3'])).toBe('c2');
  });

  it('has no choice without a usable candidate', () => {
    expect(fallbackOrder({ candidates: [excluded], allowed: ['c0'], passCounts: {} }).selectedId).toBeNull();
  });

  it('does not count what passed by chance', () => {
    const cell = (status: Cell['status']): Cell => ({ status, phase: 'call', message: '', reruns: [] });
    const row = (kind: RowKind): MatrixRow => ({
      testId: kind,
      origin: 'original',
      step: 0,
      kind,
      cells: { c1: cell('passed'), c2: cell('failed') },
      base: cell('passed'),
      judgement: null,
    });
    const rows = [row('differential'), row('flaky')];
    expect(passCountsOf({ schema: 'testgrad.matrix/1', step: 0, candidates: ['c1', 'c2'], rows })).toEqual({
      c1: 1,
      c2: 0,
    });
  });
});

describe('labels', () => {
  const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);

  it('are given in a seeded order and lead back to the ids', () => {
    const labels = assignLabels({ ids, seed: 7 });
    expect(assignLabels({ ids, seed: 7 })).toEqual(labels);
    expect(assignLabels({ ids, seed: 8 })).not.toEqual(labels);
    expect(new Set(Object.values(labels)).size).toBe(30);
    expect(Object.values(labels)).toContain('AD');
    for (const id of ids) expect(idOfLabel({ labels, label: ` ${labelOf({ labels, id }).toLowerCase()} ` })).toBe(id);
    expect(idOfLabel({ labels, label: 'AE' })).toBeNull();
    expect(() => labelOf({ labels, id: 'c30' })).toThrow(/c30/);
  });
});

describe('seededShuffle', () => {
  it('is a permutation, the same each time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const shuffled = seededShuffle({ items, seed });
        expect([...shuffled].sort()).toEqual([...items].sort());
        expect(seededShuffle({ items, seed })).toEqual(shuffled);
      }),
    );
  });

  it('keeps its order from version to version, since labels depend on it', () => {
    expect(seededShuffle({ items: ['c1', 'c2', 'c3', 'c4', 'c5'], seed: 1 })).toEqual(['c5', 'c3', 'c2', 'c1', 'c4']);
  });
});
