import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImageBase, readImageBase } from '../../src/sandbox/docker-base.js';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { makeGround, ownerOf, repositoryImage } from './containers.js';

const RUN = 'history';
const FILES = { 'pkg.py': 'X = 1\n' };
/** What an image may hold besides the base: the fix, in every place where git keeps commits. */
const LATER = `git tag v1
  echo 'X = 2 # fix one' > pkg.py && git commit -qam 'fix one' && git tag v2 && git branch later
  echo 'X = 3 # fix two' > pkg.py && git stash -q
  git checkout -q --detach && echo 'X = 4 # fix three' > pkg.py && git commit -qam 'fix three'
  git checkout -q main && git reset -q --hard v1
  git remote add origin https://example.org/x.git && git update-ref refs/remotes/origin/main v2
  echo 'X = 1 # set-up' > pkg.py && git commit -qam SWE-bench`;
let image = '';
let base: ImageBase;

beforeAll(async () => {
  image = await repositoryImage({ name: 'history', files: FILES, after: LATER });
  base = await readImageBase({ image, mountAt: '/testbed', owner: ownerOf(RUN) });
});
afterAll(async () => {
  const docker = await connectDocker();
  for (const name of [base.imageId, image]) await docker.getImage(name).remove({ force: true });
});

const inImage = async (argv: readonly string[]) => {
  const ground = await makeGround({ image: base.imageId, files: { 'pkg.py': 'X = 1 # set-up\n' }, runId: RUN });
  try {
    return await ground.run({ argv });
  } finally {
    await ground.remove();
  }
};

it('hides later commits, wherever git keeps them, and keeps what led to the base', async () => {
  expect(base.hidden).toMatch(/^\d+ commits, \d+ refs, 1 remotes$/);
  const script = `git log --all --format=%s; git tag; git branch -a; git remote; git stash list; git reflog
    git cat-file --batch-all-objects --batch-check='%(objectname) %(objecttype)' | while read id type; do git cat-file -p $id; done`;
  const { stdout, stderr } = await inImage(['/bin/sh', '-c', script]);
  expect(stderr).toBe('');
  expect(stdout.split('\n').slice(0, 4)).toEqual(['SWE-bench', 'base', 'v1', '* main']);
  expect(stdout).not.toMatch(/fix|origin/);
  expect(stdout).toContain('X = 1 # set-up');
});

it('is made once; an image without later commits is left as it is', async () => {
  const again = await readImageBase({ image, mountAt: '/testbed', owner: ownerOf(RUN) });
  expect(again).toMatchObject({ imageId: base.imageId, hidden: '', treeId: base.treeId });
  const clean = await readImageBase({ image: base.imageId, mountAt: '/testbed', owner: ownerOf(RUN) });
  expect(clean.imageId).toBe(base.imageId);
});

it('gives the tree of HEAD as a bundle of one commit', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-bundle-'));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' });
  try {
    await writeFile(join(dir, 'base.bundle'), base.bundle);
    git('clone', '-q', '-b', 'base', 'base.bundle', 'clone');
    expect(git('-C', 'clone', 'log', '--all', '--format=%s %T').trim().split('\n')).toEqual([`base ${base.treeId}`]);
    expect(git('-C', 'clone', 'show', 'HEAD:pkg.py')).toBe('X = 1 # set-up\n');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  expect(base.head).toMatch(/^[0-9a-f]{40}$/);
  expect(base.parent).toMatch(/^[0-9a-f]{40}$/);
});
