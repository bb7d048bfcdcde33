import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyCandidate } from '../../src/repository/apply-candidate.js';
import { normalisePatch } from '../../src/repository/normalise-patch.js';
import { diffOf as diff, type FileTree, setUp, userGit, writeFiles } from './fixtures.js';

const line = fc.constantFrom('a', 'b', '', '\ta ', '- x', '+ y', '--- a/x', '+++ b/x', '@@ -1 +1 @@', 'ä', '\\', 'a\r');
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
  .map(([lines, newline]) => lines.join('\n') + (newline && lines.length > 0 ? '\n' : ''));
const binary = fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from([0, ...bytes]));
const executable = text.map((content) => ({ executable: content }));
const link = fc.constantFrom('x', '../x', '/tmp').map((target) => ({ link: target }));
const content = fc.oneof({ weight: 6, arbitrary: text }, binary, executable, link);
const path = fc.constantFrom('a.py', 'dir/b c.py', 'dir/ü.py', 'dir/sub/"q".txt', 'e');
const tree = fc.dictionary(path, content, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

test('any change between two trees applies to exactly the second, and its reverse to exactly the first', async () => {
  const { dir, scratch } = await setUp({ 'keep.py': 'k\n' });
  await userGit(dir, 'config', 'core.autocrlf', 'false');
  const treeOf = async (files: FileTree) => {
    await userGit(dir, 'rm', '-rqf', '--ignore-unmatch', '.');
    await rm(join(dir, 'dir'), { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    await writeFiles(dir, { 'keep.py': 'k\n', ...files });
    await userGit(dir, 'add', '--all', '--force');
    return userGit(dir, 'write-tree');
  };
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.constantFrom('-U3', '-U0', '-U1', '-M'), async (from, to, option) => {
      const first = await treeOf(from);
      const second = await treeOf(to);
      if (first === second) return;
      await userGit(dir, 'push', '--quiet', '--force', scratch.gitDir, `${await commitOf(dir, first)}:refs/heads/from`);
      const forward = await diff(dir, first, second, option);
      const there = await applyCandidate({ scratch, baseTreeId: first, patch: forward });
      expect(there).toMatchObject({ kind: 'usable', treeId: second });
      if (option !== '-U0') expect(there).toMatchObject({ notes: [] });
      const back = await applyCandidate({ scratch, baseTreeId: second, patch: await diff(dir, second, first, option) });
      expect(back).toMatchObject({ kind: 'usable', treeId: first });
      const normalised = normalisePatch({ bytes: forward });
      expect(normalised.kind === 'patch' && Buffer.from(normalised.bytes).equals(forward)).toBe(true);
      const own = there.kind === 'usable' ? there.sourcePatch : Buffer.alloc(0);
      expect(await applyCandidate({ scratch, baseTreeId: first, patch: own })).toMatchObject({ treeId: second });
    }),
    { numRuns: 8 },
  );
});

async function commitOf(dir: string, treeId: string): Promise<string> {
  return userGit(dir, 'commit-tree', treeId, '-m', 'x');
}
