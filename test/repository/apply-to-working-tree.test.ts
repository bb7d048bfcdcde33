import { lstat, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyToWorkingTree } from '../../src/repository/apply-to-working-tree.js';
import { commit, fingerprint, newDir, newRepository, patchOf, userGit, writeFiles } from './fixtures.js';

const BASE = { 'src/a.py': 'one\ntwo\nthree\n', 'src/b.py': 'b\n', 'tests/test_a.py': 'old test\n' };

async function gitDirOf(dir: string) {
  return fingerprint(join(dir, '.git'));
}

/** Applies a patch that fits. */
async function fitting(call: Parameters<typeof applyToWorkingTree>[0]) {
  const applied = await applyToWorkingTree(call);
  if (applied.kind !== 'fits') throw new Error('It is there already.');
  return applied;
}

describe('applying the winner', () => {
  test('changes the files and nothing of .git; untracked and dirty files stay', async () => {
    const long = '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    const dir = await newRepository({
      ...BASE,
      'src/a.py': long,
      'run.sh': { executable: '#!/bin/sh\n' },
      'x.bin': Buffer.from([0, 1]),
    });
    const change = {
      'src/a.py': long.replace('5', 'FIVE'),
      'src/b.py': null,
      'src/c d.py': 'c\n',
      'run.sh': { executable: '#!/bin/bash\n' },
      'x.bin': Buffer.from([0, 2, 3]),
      link: { link: 'src' },
    };
    const patch = await patchOf(dir, change, '--binary');
    await writeFiles(dir, { 'untracked.py': 'mine\n', 'src/a.py': `dirty\n${long}` });
    const before = await gitDirOf(dir);
    const { changes, notes } = await fitting({ repoDir: join(dir, 'src'), patch, preview: false });
    expect(changes).toEqual([
      { path: 'link', change: 'added' },
      { path: 'run.sh', change: 'modified' },
      { path: 'src/a.py', change: 'modified' },
      { path: 'src/b.py', change: 'deleted' },
      { path: 'src/c d.py', change: 'added' },
      { path: 'x.bin', change: 'modified' },
    ]);
    expect(notes).toEqual(['src/a.py, hunk 1: fits 1 line away from where it says']);
    expect(await gitDirOf(dir)).toEqual(before);
    expect(await readFile(join(dir, 'src/a.py'), 'utf8')).toBe(`dirty\n${long.replace('5', 'FIVE')}`);
    expect(await readFile(join(dir, 'untracked.py'), 'utf8')).toBe('mine\n');
    expect((await readFile(join(dir, 'x.bin'))).equals(change['x.bin'])).toBe(true);
    expect((await lstat(join(dir, 'run.sh'))).mode & 0o100).toBe(0o100);
    expect(await readlink(join(dir, 'link'))).toBe('src');
    expect(await userGit(dir, 'diff', '--cached', '--name-only')).toBe('');
  });

  test('previewed, writes nothing at all, and shows exactly what it would do', async () => {
    const dir = await newRepository(BASE);
    const patch = await patchOf(dir, { 'src/a.py': 'one\nTWO\nthree\n', 'src/b.py': null });
    const before = await fingerprint(dir);
    const preview = await fitting({ repoDir: dir, patch, preview: true });
    expect(await fingerprint(dir)).toEqual(before);
    const { diff } = await fitting({ repoDir: dir, patch, preview: false });
    expect(Buffer.from(preview.diff).equals(diff)).toBe(true);
    expect(Buffer.from(diff).toString()).toBe(`${await userGit(dir, 'diff', '--full-index')}\n`);
  });

  test('that is there already changes nothing', async () => {
    const dir = await newRepository(BASE);
    const patch = await patchOf(dir, { 'src/a.py': 'one\nTWO\nthree\n' });
    await fitting({ repoDir: dir, patch, preview: false });
    const before = await fingerprint(dir);
    for (const preview of [true, false]) {
      expect(await applyToWorkingTree({ repoDir: dir, patch, preview })).toEqual({ kind: 'already' });
    }
    expect(await fingerprint(dir)).toEqual(before);
  });

  test('keeps text that is no UTF-8, byte for byte', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const dir = await newRepository({ ...BASE, 'src/l.py': latin('# caf\u00e9\nx = 1\n') });
    const patch = await patchOf(dir, { 'src/l.py': latin('# caf\u00e9\nx = "na\u00efve"\n') });
    const { diff } = await fitting({ repoDir: dir, patch, preview: false });
    expect((await readFile(join(dir, 'src/l.py'))).equals(latin('# caf\u00e9\nx = "na\u00efve"\n'))).toBe(true);
    expect(Buffer.from(diff).includes(latin('+x = "na\u00efve"\n'))).toBe(true);
  });

  test('keeps the line ends and filters of a working tree that git converts', async () => {
    const dir = await newRepository(BASE);
    const patch = await patchOf(dir, { 'src/a.py': 'one\nTWO\nthree\n' });
    await commit(dir, { '.gitattributes': '*.py text eol=crlf filter=upper\n' });
    await writeFiles(dir, { 'src/a.py': 'one\r\ntwo\r\nthree\r\n' });
    await userGit(dir, 'config', 'filter.upper.smudge', 'tr a-z A-Z');
    await applyToWorkingTree({ repoDir: dir, patch, preview: false });
    expect(await readFile(join(dir, 'src/a.py'), 'utf8')).toBe('one\r\nTWO\r\nthree\r\n');
  });
});

describe('the winner is refused, and nothing changes', () => {
  async function refused(dir: string, patch: Uint8Array) {
    const before = await fingerprint(dir);
    const failure = await applyToWorkingTree({ repoDir: dir, patch, preview: false }).catch((error) => error);
    expect(failure).toMatchObject({ name: 'ResultError', code: 'TG-R04' });
    await expect(applyToWorkingTree({ repoDir: dir, patch, preview: true })).rejects.toMatchObject(failure);
    expect(await fingerprint(dir)).toEqual(before);
    return failure.what as string;
  }

  test('when one of its files differs, even if the others would do', async () => {
    const dir = await newRepository(BASE);
    const patch = await patchOf(dir, { 'src/a.py': 'one\nTWO\nthree\n', 'src/b.py': 'B\n' });
    await writeFiles(dir, { 'src/b.py': 'someone was here\n' });
    expect(await refused(dir, patch)).toContain('src/b.py, hunk 1');
  });

  test('when it would replace an untracked file', async () => {
    const dir = await newRepository(BASE);
    const patch = await patchOf(dir, { 'src/new.py': 'n\n' });
    await writeFiles(dir, { 'src/new.py': 'mine\n' });
    expect(await refused(dir, patch)).toContain('already exists');
  });

  test('when a path leads out of the repository, by its name or through a link', async () => {
    const dir = await newRepository(BASE);
    const outside = await newDir();
    await symlink(outside, join(dir, 'out'));
    const added = (path: string) =>
      Buffer.from(
        `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`,
      );
    for (const path of ['../evil', 'out/evil', '.git/hooks/evil', '.git/config']) await refused(dir, added(path));
    expect(await fingerprint(outside)).toEqual([]);
  });

  test('when it is no patch, and a directory that is no repository is TG-I17', async () => {
    const dir = await newRepository(BASE);
    await refused(dir, Buffer.from('no diff'));
    await expect(
      applyToWorkingTree({ repoDir: await newDir(), patch: Buffer.from(''), preview: true }),
    ).rejects.toMatchObject({
      code: 'TG-I17',
    });
  });
});
