import { expect, test } from 'vitest';
import type { PreparedCandidate } from '../../src/core/candidate.js';
import { travelling } from '../../src/core/travelling.js';

const usable = (id: string, paths: readonly string[]): PreparedCandidate => ({
  ...{ kind: 'usable', id, agent: id, label: id, treeId: id, sameAs: id, added: 1, removed: 0 },
  sourcePatch: { digest: 'd'.repeat(64), bytes: 1, mediaType: 'text/x-diff' },
  changedFiles: paths,
  setAside: paths,
});
const paths = (count: number, path: string) => Array.from({ length: count }, (_, n) => `${path}_${n}.py`);

test('candidates of a usual size travel as they are', () => {
  const few = [usable('c1', paths(10, 'src/package/module')), usable('c2', [])];
  expect(travelling(few)).toEqual(few);
});

test('of long lists the first paths travel, with the count of all', () => {
  const [candidate] = travelling([usable('c1', paths(70, 'src/module'))]);
  expect(candidate).toMatchObject({ counts: { changedFiles: 70, setAside: 70 } });
  expect(candidate).toMatchObject({ changedFiles: paths(10, 'src/module'), setAside: paths(10, 'src/module') });
});

test('all together stay small, whatever their number and however long the paths', () => {
  const many = Array.from({ length: 40 }, (_, n) => usable(`c${n}`, paths(500, `src/${'目录'.repeat(60)}`)));
  const excluded = Array.from({ length: 40 }, (_, n): PreparedCandidate => {
    return { kind: 'excluded', id: `e${n}`, agent: 'a', reason: 'malformed', detail: '不'.repeat(9_000) };
  });
  const bytes = Buffer.byteLength(JSON.stringify(travelling([...many, ...excluded])));
  expect(bytes).toBeLessThan(48 * 1024);
});
