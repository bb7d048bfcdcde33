import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { branchPatch } from '../../src/repository/branch-patch.js';
import { closeNames } from '../../src/repository/close-names.js';
import { inspectRepository } from '../../src/repository/inspect-repository.js';
import { mergeBase } from '../../src/repository/resolve-commit.js';
import { snapshotBase } from '../../src/repository/snapshot.js';
import { commit, fingerprint, newDir, newRepository, userGit, writeFiles } from './fixtures.js';

afterEach(() => vi.unstubAllEnvs());

describe('inspecting a repository', () => {
  test('finds the root, the base and what is not committed', async () => {
    const dir = await newRepository({ 'pkg/a.py': 'one\n', 'b.py': 'b\n' });
    await userGit(dir, 'branch', 'older');
    await commit(dir, { 'pkg/a.py': 'two\n' });
    await writeFiles(dir, { 'pkg/a.py': 'three\n', 'b.py': null, 'untracked.py': 'x' });
    const facts = await inspectRepository({ repoDir: join(dir, 'pkg') });
    expect(facts).toEqual({
      topLevel: await userGit(dir, 'rev-parse', '--show-toplevel'),
      prefix: 'pkg/',
      baseCommit: await userGit(dir, 'rev-parse', 'HEAD'),
      treeId: await userGit(dir, 'rev-parse', 'HEAD^{tree}'),
      dirtyFiles: 2,
      hasSubmodules: false,
    });
    const older = await inspectRepository({ repoDir: dir, base: 'older' });
    expect(older.baseCommit).toBe(await userGit(dir, 'rev-parse', 'HEAD~1'));
  });

  test('sees submodules', async () => {
    const inner = await newRepository({ 'lib.py': '' });
    const dir = await newRepository({ 'a.py': '' });
    await userGit(dir, 'submodule', '--quiet', 'add', inner, 'vendor');
    await userGit(dir, 'commit', '--quiet', '-m', 'submodule');
    expect((await inspectRepository({ repoDir: dir })).hasSubmodules).toBe(true);
  });

  test('says why a directory is none: missing, no repository, bare, .git', async () => {
    const dir = await newRepository({ 'a.py': '' });
    const bareDir = await newDir();
    await userGit(bareDir, 'init', '--quiet', '--bare');
    for (const repoDir of [join(dir, 'nowhere'), await newDir(), bareDir, join(dir, '.git')]) {
      await expect(inspectRepository({ repoDir })).rejects.toMatchObject({ name: 'InputError', code: 'TG-I17' });
    }
  });

  test('an unknown base is TG-I16 with the closest names', async () => {
    const dir = await newRepository({ 'a.py': '' });
    await userGit(dir, 'branch', 'feature/parent-link');
    await userGit(dir, 'branch', 'unrelated');
    const asked = inspectRepository({ repoDir: dir, base: 'feature/parentlink' });
    await expect(asked).rejects.toMatchObject({
      code: 'TG-I16',
      meaning: expect.stringContaining('feature/parent-link'),
    });
    await expect(asked).rejects.not.toMatchObject({ meaning: expect.stringContaining('unrelated') });
    for (const base of ['', '--all', '--output=/tmp/x', 'HEAD:a.py']) {
      await expect(inspectRepository({ repoDir: dir, base })).rejects.toMatchObject({ code: 'TG-I16' });
    }
  });

  test('a repository without a commit is TG-I16', async () => {
    const dir = await newDir();
    await userGit(dir, 'init', '--quiet');
    await expect(inspectRepository({ repoDir: dir })).rejects.toMatchObject({ code: 'TG-I16' });
  });

  test.skipIf(process.getuid?.() !== 0)('a repository of another user can be read', async () => {
    const dir = await newRepository({ 'a.py': '' });
    await chown(dir, 12_345, 12_345);
    await chown(join(dir, '.git'), 12_345, 12_345);
    expect((await inspectRepository({ repoDir: dir })).topLevel).toBe(dir);
  });
});

test('close names rank by likeness, with or without the remote', () => {
  const names = ['main', 'origin/fix-13', 'fix-12', 'docs'];
  expect(closeNames({ wanted: 'fix-13', names })).toEqual(['origin/fix-13', 'fix-12']);
  expect(closeNames({ wanted: 'mian', names })).toEqual(['main']);
  expect(closeNames({ wanted: 'something-else-entirely', names })).toEqual([]);
});

describe('branches', () => {
  test('the merge base of several is where all of them started', async () => {
    const dir = await newRepository({ 'a.py': 'a\n' });
    const root = await userGit(dir, 'rev-parse', 'HEAD');
    for (const branch of ['one', 'two', 'three']) {
      await userGit(dir, 'checkout', '--quiet', '-b', branch, root);
      await commit(dir, { [`${branch}.py`]: 'x\n' });
    }
    await userGit(dir, 'checkout', '--quiet', 'main');
    await commit(dir, { 'a.py': 'later\n' });
    expect(await mergeBase({ repoDir: dir, refs: ['one', 'two', 'three', 'main'] })).toBe(root);
    expect(await mergeBase({ repoDir: dir, refs: ['one'] })).toBe(await userGit(dir, 'rev-parse', 'one'));
    await userGit(dir, 'checkout', '--quiet', '--orphan', 'alien');
    await commit(dir, { 'a.py': 'alien\n' });
    await expect(mergeBase({ repoDir: dir, refs: ['one', 'alien'] })).rejects.toMatchObject({ code: 'TG-I16' });
  });

  test('a branch is what it changed since it left the base, whatever the repository configures', async () => {
    const dir = await newRepository({ 'a.py': 'a\n', 'data.bin': Buffer.from([0, 1, 2]), 'old.py': '1\n2\n3\n' });
    await userGit(dir, 'checkout', '--quiet', '-b', 'fix');
    await commit(dir, { 'a.py': 'fixed\n', 'data.bin': Buffer.from([0, 9]), 'old.py': null, 'new.py': '1\n2\n3\n' });
    await userGit(dir, 'checkout', '--quiet', 'main');
    await commit(dir, { 'a.py': 'main went on\n' });
    const plain = await branchPatch({ repoDir: dir, base: 'main', ref: 'fix' });
    const text = Buffer.from(plain).toString();
    expect(text).toContain('-a\n+fixed\n');
    expect(text).toContain('GIT binary patch');
    expect(text).toContain('deleted file mode 100644');
    expect(text).not.toContain('rename from');
    expect(text).not.toContain('main went on');

    const settings = {
      'diff.noprefix': 'true',
      'diff.external': '/bin/false',
      'diff.context': '0',
      'color.ui': 'always',
    };
    for (const [name, value] of Object.entries(settings)) await userGit(dir, 'config', name, value);
    await writeFile(join(dir, '.git/info/attributes'), '*.py -diff\n');
    expect(Buffer.from(await branchPatch({ repoDir: dir, base: 'main', ref: 'fix' })).toString()).toBe(text);
    expect(await branchPatch({ repoDir: dir, base: 'main', ref: 'main' })).toHaveLength(0);
  });
});

test('nothing in the user repository is written or run, whatever it configures and the environment says', async () => {
  const dir = await newRepository({ 'a.py': 'a\n', 'b.py': 'b\n' });
  await userGit(dir, 'checkout', '--quiet', '-b', 'fix');
  await commit(dir, { 'a.py': 'fixed\n' });
  await writeFiles(dir, { 'b.py': 'dirty\n' });
  const traces = await newDir();
  const trap = join(await newDir(), 'trap');
  await writeFile(trap, `#!/bin/sh\ntouch ${traces}/ran\n`);
  await chmod(trap, 0o755);
  for (const name of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'diff.external', 'core.editor']) {
    await userGit(dir, 'config', name, trap);
  }
  await mkdir(join(dir, '.git/hooks'), { recursive: true });
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit']) {
    await writeFile(join(dir, '.git/hooks', hook), `#!/bin/sh\ntouch ${traces}/hook\n`);
    await chmod(join(dir, '.git/hooks', hook), 0o755);
  }
  vi.stubEnv('GIT_DIR', join(traces, 'elsewhere'));
  vi.stubEnv('GIT_INDEX_FILE', join(traces, 'index'));
  vi.stubEnv('GIT_EXTERNAL_DIFF', trap);
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.bare');
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'true');
  const before = await fingerprint(dir);
  const { treeId, dirtyFiles } = await inspectRepository({ repoDir: dir });
  expect(dirtyFiles).toBe(1);
  await branchPatch({ repoDir: dir, base: 'main', ref: 'fix' });
  await mergeBase({ repoDir: dir, refs: ['main', 'fix'] });
  await snapshotBase({ repoDir: dir, treeId, workDir: await newDir() });
  expect(await fingerprint(dir)).toEqual(before);
  expect(await fingerprint(traces)).toEqual([]);
});
