import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { grepTree } from '../../src/repository/grep-tree.js';
import { inspectRepository } from '../../src/repository/inspect-repository.js';
import { materialise } from '../../src/repository/materialise.js';
import { openScratch } from '../../src/repository/scratch.js';
import { snapshotBase } from '../../src/repository/snapshot.js';
import { listTree, readTreeFile } from '../../src/repository/tree-files.js';
import { commit, newDir, newRepository, scratchOf, userGit, writeFiles } from './fixtures.js';

const TYPESCRIPT = fileURLToPath(new URL('../support/typescript.mjs', import.meta.url));
const OPENER = fileURLToPath(new URL('./open-process.ts', import.meta.url));

async function snapshotOf(repoDir: string) {
  const { treeId } = await inspectRepository({ repoDir });
  return { treeId, bundle: await snapshotBase({ repoDir, treeId }) };
}

describe('a snapshot of the base', () => {
  test('is self-contained and holds one commit, without history, tags, branches or remotes', async () => {
    const dir = await newRepository({ 'a.py': 'base\n' });
    await userGit(dir, 'tag', 'v1');
    const { treeId, bundle } = await snapshotOf(dir);
    await commit(dir, { 'a.py': 'the fix that came later\n' });
    const elsewhere = await newDir();
    await writeFile(join(elsewhere, 'base.bundle'), bundle);
    await userGit(elsewhere, 'clone', '--quiet', '--branch', 'base', 'base.bundle', 'clone');
    const clone = join(elsewhere, 'clone');
    expect(await userGit(clone, 'rev-list', '--all', '--count')).toBe('1');
    expect(await userGit(clone, 'rev-parse', 'HEAD^{tree}')).toBe(treeId);
    expect(await userGit(clone, 'tag')).toBe('');
    expect(await userGit(clone, 'log', '-1', '--format=%an %ae %at %s%P')).toBe('testgrad testgrad@localhost 0 base');
    await userGit(clone, 'fsck', '--full', '--strict');
  });

  test('has the same bytes from another clone and after repacking', async () => {
    const files = Object.fromEntries([...Array(40).keys()].map((n) => [`f${n}.py`, `line\n`.repeat(50) + n]));
    const dir = await newRepository(files);
    const first = await snapshotOf(dir);
    await commit(dir, { 'f1.py': 'later\n' });
    await userGit(dir, 'checkout', '--quiet', 'HEAD~1');
    await userGit(dir, 'repack', '-adfq', '--depth=20', '--window=20');
    const other = await newRepository(files);
    expect(Buffer.compare((await snapshotOf(dir)).bundle, first.bundle)).toBe(0);
    expect(Buffer.compare((await snapshotOf(other)).bundle, first.bundle)).toBe(0);
  });

  test('works from a repository that borrows objects itself, in a path with a colon and a quote', async () => {
    const origin = await newRepository({ 'a.py': 'a\n' });
    const parent = await mkdtemp(join(await newDir(), 'odd: "path" '));
    await userGit(parent, 'clone', '--quiet', '--shared', origin, 'clone');
    const { treeId, bundle } = await snapshotOf(join(parent, 'clone'));
    const scratch = await openScratch({ bundle, dir: join(parent, 'cache'), treeId });
    expect(await listTree({ scratch, treeId })).toEqual([{ path: 'a.py', mode: '100644', bytes: 2 }]);
  });

  test('works from a shallow clone, a linked working tree, and a repository with SHA-256 ids', async () => {
    const origin = await newRepository({ 'a.py': 'a\n' });
    await commit(origin, { 'b.py': 'b\n' });
    const parent = await newDir();
    await userGit(parent, 'clone', '--quiet', '--depth=1', `file://${origin}`, 'shallow');
    await userGit(origin, 'worktree', 'add', '--quiet', join(parent, 'linked'), 'HEAD');
    const modern = await newRepository({ 'a.py': 'a\n' }, '--object-format=sha256');
    for (const repoDir of [join(parent, 'shallow'), join(parent, 'linked'), modern]) {
      const { treeId, bundle } = await snapshotOf(repoDir);
      const scratch = await openScratch({ bundle, dir: await newDir(), treeId });
      expect(Buffer.from((await readTreeFile({ scratch, treeId, path: 'a.py' })) ?? '').toString()).toBe('a\n');
    }
  });

  test('of a partial clone is TG-I19, and fetches nothing', async () => {
    const origin = await newRepository({ 'a.py': 'a\n' });
    await userGit(origin, 'config', 'uploadpack.allowFilter', 'true');
    const parent = await newDir();
    const options = ['--quiet', '--filter=blob:none', '--no-checkout'];
    await userGit(parent, 'clone', ...options, `file://${origin}`, 'partial');
    const repoDir = join(parent, 'partial');
    const { treeId } = await inspectRepository({ repoDir });
    await expect(snapshotBase({ repoDir, treeId })).rejects.toMatchObject({ code: 'TG-I19' });
  });
});

describe('the scratch repository of a host', () => {
  test('is made once, by whichever of several processes is first', async () => {
    const { treeId, bundle } = await snapshotOf(await newRepository({ 'a.py': 'a\n' }));
    const dir = await newDir();
    const file = join(await newDir(), 'base.bundle');
    await writeFile(file, bundle);
    const args = ['--import', TYPESCRIPT, OPENER, dir, file, treeId];
    const answers = await Promise.all([1, 2, 3].map(() => execa(process.execPath, args)));
    for (const { stdout } of answers) expect(stdout).toBe(`${join(dir, `${treeId}.git`)} a.py`);
    expect(await readdir(dir)).toEqual([`${treeId}.git`]);
    const neverAsked = () => Promise.reject(new Error('asked for the bundle again'));
    expect((await openScratch({ bundle: neverAsked, dir, treeId })).treeId).toBe(treeId);
  });

  test('is made again when it is damaged, and what killed processes left is removed', async () => {
    const { treeId, bundle } = await snapshotOf(await newRepository({ 'a.py': 'a\n' }));
    const dir = await newDir();
    const { gitDir } = await openScratch({ bundle, dir, treeId });
    await rm(join(gitDir, 'objects'), { recursive: true });
    await writeFiles(dir, { '.new-killed/HEAD': '', '.new-running/HEAD': '' });
    await utimes(join(dir, '.new-killed'), 0, 0);
    const scratch = await openScratch({ bundle, dir, treeId });
    expect(await listTree({ scratch, treeId })).toHaveLength(1);
    expect((await readdir(dir)).sort()).toEqual(['.new-running', `${treeId}.git`]);
  });

  test('is not made from a bundle of another tree or from rubbish', async () => {
    const one = await snapshotOf(await newRepository({ 'a.py': 'a\n' }));
    const other = await snapshotOf(await newRepository({ 'a.py': 'b\n' }));
    const dir = await newDir();
    for (const bundle of [other.bundle, Buffer.from('no bundle'), one.bundle.slice(0, -30)]) {
      await expect(openScratch({ bundle, dir, treeId: one.treeId })).rejects.toMatchObject({ code: 'TG-R07' });
    }
    expect(await readdir(dir)).toEqual([]);
  });
});

test('a tree becomes files byte for byte: modes, links, odd names, and no attribute takes part', async () => {
  const outside = await newDir();
  await writeFile(join(outside, 'secret'), 'untouched');
  const files = {
    '.gitattributes': '* text=auto eol=crlf\n*.id ident\n*.u working-tree-encoding=UTF-16\nsecret.txt export-ignore\n',
    'lf.txt': 'a\nb\n',
    'crlf.txt': 'a\r\nb\r\n',
    'x.id': '$Id$\n',
    'y.u': 'ä\n',
    'secret.txt': 'kept\n',
    'no-newline': 'x',
    empty: '',
    'bin.dat': Buffer.from([0, 13, 10, 255]),
    'run.sh': { executable: '#!/bin/sh\n' },
    'pkg with space/ünï "q".py': '1\n',
    link: { link: join(outside, 'secret') },
    dirlink: { link: outside },
    dangling: { link: '../../nowhere' },
  };
  const repoDir = await newRepository({ ...files, '.gitattributes': '' });
  // Committed as they are, as someone without these attributes would have.
  await writeFiles(repoDir, { '.git/info/attributes': '* -text !ident !working-tree-encoding\n' });
  await commit(repoDir, files);
  const scratch = await scratchOf(repoDir);
  const dir = join(await newDir(), 'tree');
  await materialise({ scratch, treeId: scratch.treeId, dir });
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      expect((await readFile(file)).equals(Buffer.from(content)), path).toBe(true);
    } else if ('link' in content) {
      expect(await readlink(file)).toBe(content.link);
    } else {
      expect((await lstat(file)).mode & 0o111).toBe(0o111);
    }
  }
  expect((await readdir(dir)).sort()).toEqual(
    [...new Set(Object.keys(files).map((path) => path.split('/')[0]))].sort(),
  );
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('untouched');
  await expect(materialise({ scratch, treeId: scratch.treeId, dir })).rejects.toThrow('is there already');
});

test('a tree that is not there leaves no directory behind', async () => {
  const scratch = await scratchOf(await newRepository({ 'a.py': '' }));
  const parent = await newDir();
  await expect(materialise({ scratch, treeId: '1'.repeat(40), dir: join(parent, 'tree') })).rejects.toThrow();
  expect(existsSync(join(parent, 'tree'))).toBe(false);
  expect(await readdir(parent)).toEqual([]);
});

test('files are read from a tree by their path, and only from the tree', async () => {
  const repoDir = await newRepository({
    'pkg/ä b.py': 'x = 1\n',
    'pkg/link': { link: '/etc/passwd' },
    ':a': 'colon\n',
  });
  const scratch = await scratchOf(repoDir);
  const { treeId } = scratch;
  const read = async (path: string) => {
    const bytes = await readTreeFile({ scratch, treeId, path });
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  expect(await read('pkg/ä b.py')).toBe('x = 1\n');
  expect(await read('./pkg/ä b.py')).toBe('x = 1\n');
  expect(await read(':a')).toBe('colon\n');
  expect(await read('pkg/link')).toBe('/etc/passwd');
  for (const path of ['pkg', 'pkg/none.py', '', '/etc/passwd', '../x', '..', 'pkg/../pkg/ä b.py']) {
    expect(await read(path), path).toBeUndefined();
  }
  await expect(readTreeFile({ scratch, treeId: '1'.repeat(40), path: 'a' })).rejects.toThrow();
});

describe('searching a tree', () => {
  const files = {
    'a/test_one.py': 'def test_a():\n    assert f(1) == 2\n',
    'b/two.py': 'x = 1\ny = 22\n',
    'b/data.bin': Buffer.from('assert\0\x01'),
    'c d/three.txt': 'assert ä\n',
  };

  test('finds lines with Perl syntax, in the paths asked for, and not in binary files', async () => {
    const scratch = await scratchOf(await newRepository(files));
    const search = async (pattern: string, ...paths: string[]) => {
      const answer = await grepTree({ scratch, treeId: scratch.treeId, pattern, paths });
      return answer.kind === 'matches'
        ? answer.matches.map(({ path, line, text }) => `${path}:${line}:${text}`)
        : answer;
    };
    expect(await search('assert')).toEqual(['a/test_one.py:2:    assert f(1) == 2', 'c d/three.txt:1:assert ä']);
    expect(await search(String.raw`(?:=\s)\d{2}\b`)).toEqual(['b/two.py:2:y = 22']);
    expect(await search('assert', '*.txt')).toEqual(['c d/three.txt:1:assert ä']);
    expect(await search('=', 'b')).toHaveLength(2);
    expect(await search('-v')).toEqual([]);
    expect(await search('x', '--open-files-in-pager=touch')).toEqual([]);
    expect(await search('assert', ':(exclude)a')).toEqual([]);
  });

  test('stops at the number of matches, in time, and at a pattern that explodes', async () => {
    const slow = `${'a'.repeat(22)}!\n`.repeat(20_000);
    const files = { 'many.py': 'x\n'.repeat(5000), 'slow.py': slow, 'explodes.py': `${'a'.repeat(60)}!\n` };
    const scratch = await scratchOf(await newRepository(files));
    const { treeId } = scratch;
    const cut = await grepTree({ scratch, treeId, pattern: 'x', maxMatches: 3 });
    expect(cut).toMatchObject({ kind: 'matches', end: 'limit', matches: [{ line: 1 }, { line: 2 }, { line: 3 }] });
    const exact = await grepTree({ scratch, treeId, pattern: 'x', maxMatches: 5000 });
    expect(exact).toMatchObject({ kind: 'matches', end: 'complete' });
    const pattern = '^(a+)+$';
    const late = await grepTree({ scratch, treeId, pattern, paths: ['slow.py'], timeoutMs: 300 });
    expect(late).toEqual({ kind: 'matches', matches: [], end: 'time' });
    const exploded = await grepTree({ scratch, treeId, pattern, paths: ['explodes.py'] });
    expect(exploded).toMatchObject({ kind: 'refused', reason: expect.stringContaining('limit exceeded') });
  });

  test('a pattern that is none is answered with the reason', async () => {
    const scratch = await scratchOf(await newRepository({ 'a.py': '' }));
    for (const pattern of ['(', '', 'a\nb', 'x'.repeat(2000)]) {
      const answer = await grepTree({ scratch, treeId: scratch.treeId, pattern });
      expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/./) });
    }
  });
});
