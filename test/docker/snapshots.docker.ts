import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { LABELS } from '../../src/sandbox/docker-labels.js';
import { ensureSnapshot } from '../../src/sandbox/docker-snapshot.js';
import { containersOf, type Ground, LIMITS, makeGround, ownerOf, repositoryImage } from './containers.js';

const RUN = 'snapshots';
const FILES = { 'pkg/__init__.py': 'X = 1\n', 'pkg/data': 'a file\n', 'tests/test_x.py': 'assert True\n' };
const SET_UP = { argv: ['/bin/sh', '-c', 'cat pkg/__init__.py > compiled.so; echo X = 5 > pkg/made.py'], env: {} };
let image = '';
let ground: Ground;
const ids = new Set<string>();

beforeAll(async () => {
  image = await repositoryImage({ name: 'snapshots', files: FILES });
});
beforeEach(async () => {
  ground = await makeGround({ image, files: FILES, runId: RUN });
});
afterEach(async () => {
  expect(await containersOf(RUN)).toEqual([]);
  await ground.remove();
});
afterAll(async () => {
  const docker = await connectDocker();
  // Other files make snapshots at the same time.
  for (const id of ids) await docker.getImage(id).remove({ force: true });
  await docker.getImage(image).remove({ force: true });
});

const snapshot = (setUp: typeof SET_UP | null) =>
  ensureSnapshot({ image, treeDir: ground.treeDir, mountAt: '/testbed', setUp, limits: LIMITS, owner: ownerOf(RUN) });
const made = async (setUp: typeof SET_UP | null): Promise<{ imageId: string; created: boolean }> => {
  const result = await snapshot(setUp);
  if (result.kind !== 'ready') throw new Error(result.result.stderr);
  if (result.created) ids.add(result.imageId);
  return result;
};

it('is the image itself for the image’s own tree', async () => {
  const docker = await connectDocker();
  expect(await made(null)).toEqual({
    kind: 'ready',
    imageId: (await docker.getImage(image).inspect()).Id,
    created: false,
  });
});

it('is made once, found again, and made again when it is gone', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), 'X = 2\r\n');
  const first = await made(null);
  expect(first.created).toBe(true);
  expect(await made(null)).toEqual({ ...first, created: false });
  await (await connectDocker()).getImage(first.imageId).remove({ force: true });
  ids.delete(first.imageId);
  expect((await made(null)).created).toBe(true);
});

it('holds the candidate and its set-up; the suite’s files come on top; no execution sees another’s leftovers', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), 'X = 3\n');
  await rm(join(ground.treeDir, 'tests'), { recursive: true });
  const { imageId } = await made(SET_UP);
  await writeFile(join(ground.treeDir, 'test_new.py'), 'import pkg.made\nprint(pkg.X, pkg.made.X)\n');
  const argv = ['/bin/sh', '-c', 'python3 test_new.py; cat compiled.so; ls; echo X = 9 > pkg/__init__.py'];
  for (const _ of [1, 2]) {
    const result = await ground.run({ argv, docker: { image: imageId } });
    expect(result).toMatchObject({ exit: { kind: 'exited', code: 0 }, stderr: '' });
    expect(result.stdout.split('\n')).toEqual(['3 5', 'X = 3', 'built.so', 'compiled.so', 'pkg', 'test_new.py', '']);
  }
});

it('replaces a file by a folder and a folder by a file', async () => {
  await rm(join(ground.treeDir, 'pkg/data'));
  await rm(join(ground.treeDir, 'tests'), { recursive: true });
  const other = await makeGround({
    image,
    files: { 'pkg/data/inner': 'now a folder\n', tests: 'now a file\n' },
    runId: RUN,
  });
  const treeDir = other.treeDir;
  const result = await ensureSnapshot({
    image,
    treeDir,
    mountAt: '/testbed',
    setUp: null,
    limits: LIMITS,
    owner: ownerOf(RUN),
  });
  const imageId = result.kind === 'ready' ? result.imageId : '';
  ids.add(imageId);
  const { stdout } = await other.run({
    argv: ['/bin/sh', '-c', 'cat pkg/data/inner tests'],
    docker: { image: imageId },
  });
  expect(stdout).toBe('now a folder\nnow a file\n');
  await other.remove();
});

it('gives a failing set-up as a result, and keeps nothing of it', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), 'X = 4\n');
  const setUp = { argv: ['/bin/sh', '-c', 'echo no compiler >&2; exit 7'], env: {} };
  const result = await snapshot(setUp);
  expect(result).toMatchObject({
    kind: 'set-up-failed',
    result: { exit: { kind: 'exited', code: 7 }, stderr: 'no compiler\n' },
  });
  expect(await snapshot(setUp)).toMatchObject({ kind: 'set-up-failed' });
});
it('gives a set-up that is killed at the memory limit as a result', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), 'X = 5\n');
  const eat = { argv: ['/usr/bin/python3', '-c', 'x = bytearray(700 * 1024 ** 2)'], env: {} };
  // Docker may tell of it after the program has ended.
  const kind = expect.stringMatching(/^(broken|signalled)$/);
  expect(await snapshot(eat)).toMatchObject({ kind: 'set-up-failed', result: { exit: { kind } } });
});

it('passes no owner on to what others start from it', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), await readFile(join(ground.treeDir, 'pkg/data')));
  const { imageId } = await made(null);
  const { Config: config } = await (await connectDocker()).getImage(imageId).inspect();
  expect([LABELS.owner, LABELS.run, LABELS.deadline].map((label) => config.Labels?.[label])).toEqual(['', '', '']);
});
