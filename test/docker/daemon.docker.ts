import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeDockerd, startDockerd } from '../../scripts/dockerd.mjs';
import { openSession } from '../../src/sandbox/docker-session.js';
import { type Ground, LIMITS, makeGround, ownerOf, processesWith, repositoryImage } from './containers.js';

const FILES = { 'pkg.py': 'X = 1\n' };
const SLEEP = 'import time; time.sleep(600)';
const canStart = process.getuid?.() === 0 && spawnSync('dockerd', ['--version']).status === 0;

// A daemon of this file's own, on a small disk: it is stopped, killed and filled.
// A short name: containerd's sockets lie below it, and their paths have an end after a hundred letters.
const dir = mkdtempSync(join(tmpdir(), 'd-'));
const host = process.env.DOCKER_HOST;
let daemon: Awaited<ReturnType<typeof startDockerd>> | null = null;
let ground: Ground;
let image = '';

beforeAll(async () => {
  if (!canStart) return;
  const saved = spawnSync('docker', [
    'save',
    '-o',
    join(tmpdir(), `base-${process.pid}.tar`),
    process.env.TESTGRAD_TEST_IMAGE ?? '',
  ]);
  expect(saved.status).toBe(0);
  mkdirSync(join(dir, 'data'));
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1400m', 'none', join(dir, 'data')]).status).toBe(0);
  daemon = await startDockerd({ dir });
  process.env.DOCKER_HOST = daemon.host;
  expect(spawnSync('docker', ['load', '-i', join(tmpdir(), `base-${process.pid}.tar`)]).status).toBe(0);
  spawnSync('rm', [join(tmpdir(), `base-${process.pid}.tar`)]);
  image = await repositoryImage({ name: 'daemon', files: FILES });
  ground = await makeGround({ image, files: FILES, runId: 'daemon' });
});
afterAll(async () => {
  await daemon?.stop();
  removeDockerd({ dir });
  await ground?.remove();
  if (host !== undefined) process.env.DOCKER_HOST = host;
});

const started = async (mark: string): Promise<void> => {
  while (processesWith(mark) === '') await new Promise((resolve) => setTimeout(resolve, 100));
};

it.skipIf(!canStart)('a full disk is ours, not the candidate’s, and the next execution is well again', async () => {
  const fill = 'head -c 3G /dev/zero > fill';
  // The disk is one in memory, and what a container writes there counts as the container's.
  const limits = { ...LIMITS, memoryBytes: 3 * 1024 ** 3 };
  const program = await ground.run({ argv: ['/bin/sh', '-c', fill], limits });
  expect(program.exit).toMatchObject({ kind: 'broken', infra: 'disk' });
  const session = await openSession({
    image,
    workingDir: '/',
    limits,
    lifetimeMs: 60_000,
    owner: ownerOf('daemon'),
  });
  try {
    expect((await session.run({ argv: ['/bin/sh', '-c', fill] })).exit).toMatchObject({
      kind: 'broken',
      infra: 'disk',
    });
    const other = await ground.run({ argv: ['/bin/sh', '-c', 'exit 1'] });
    expect(other.exit).toMatchObject({ kind: 'broken', infra: 'disk' });
  } finally {
    await session.close();
  }
  expect((await ground.run({ argv: ['/bin/true'] })).exit).toEqual({ kind: 'exited', code: 0 });
});

it.skipIf(!canStart)(
  'a daemon that is stopped under an execution is ours, and the next one is well again',
  async () => {
    const mark = `mark-${process.pid}-stop`;
    const running = ground.run({ argv: ['/usr/bin/python3', '-c', SLEEP, mark] });
    await started(mark);
    await daemon?.stop();
    expect((await running).exit).toMatchObject({ kind: 'broken', infra: 'daemon' });
    expect((await ground.run({ argv: ['/bin/true'] })).exit).toMatchObject({ kind: 'broken', infra: 'daemon' });
    daemon = await startDockerd({ dir });
    expect((await ground.run({ argv: ['/bin/true'] })).exit).toEqual({ kind: 'exited', code: 0 });
  },
);
