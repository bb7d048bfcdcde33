import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withFileLock } from '../../src/workers/file-lock.js';
import { endProcess, identify, isAlive } from '../../src/workers/process-identity.js';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-lock-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function lock<T>({ work, timeoutMs = 10_000 }: { work: () => Promise<T>; timeoutMs?: number }): Promise<T> {
  const onTimeout = (pid: number | null) => new Error(`held by ${pid}`);
  return withFileLock({ file: join(dir, 'lock'), timeoutMs, onTimeout, work });
}

test('work under the lock never overlaps, also when many wait for a dead holder', async () => {
  await writeFile(join(dir, 'lock'), JSON.stringify({ pid: process.pid, startedAt: 'another boot' }));
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(2);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => lock({ work })));
  expect(most).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test('the lock is given back when the work fails', async () => {
  await expect(
    lock({
      work: async () => {
        throw new Error('work failed');
      },
    }),
  ).rejects.toThrow('work failed');
  expect(await lock({ work: async () => 'next' })).toBe('next');
});

test('who waits too long is told whom for', async () => {
  await lock({
    work: async () => {
      await expect(lock({ timeoutMs: 100, work: async () => 'no' })).rejects.toThrow(`held by ${process.pid}`);
    },
  });
});

test('a clock that jumps neither shortens the wait nor takes a lock away', async () => {
  let waiting: Promise<string> | undefined;
  await lock({
    work: async () => {
      waiting = lock({ timeoutMs: 20_000, work: async () => 'had' });
      await sleep(100);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
      await sleep(200);
      expect(await Promise.race([waiting, sleep(100, 'waits')])).toBe('waits');
    },
  }).finally(() => vi.useRealTimers());
  expect(await waiting).toBe('had');
});

test('a damaged lock file is no obstacle', async () => {
  await writeFile(join(dir, 'lock'), '');
  expect(await lock({ work: async () => 'had' })).toBe('had');
});

test('a process is the same only with its start time, and one that ended is gone although nobody collected it', async () => {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const identity = await identify(child.pid ?? 0);
  if (identity === null) throw new Error('sleep did not start');
  expect(await isAlive(identity)).toBe(true);
  expect(await isAlive({ ...identity, startedAt: 'another boot' })).toBe(false);
  await endProcess({ identity: { ...identity, startedAt: 'another boot' }, graceMs: 0 });
  expect(await isAlive(identity)).toBe(true);

  expect(await endProcess({ identity, graceMs: 1_000 })).toBe(true);
  expect(await isAlive(identity)).toBe(false);
});

test('a process that ignores SIGTERM is killed with its group', async () => {
  const script = 'trap "" TERM; sleep 60 & echo $!; wait; wait';
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const inner = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
  const [outerIdentity, innerIdentity] = [await identify(child.pid ?? 0), await identify(inner)];
  if (outerIdentity === null || innerIdentity === null) throw new Error('sh did not start');

  expect(await endProcess({ identity: outerIdentity, graceMs: 200 })).toBe(true);
  await sleep(100);
  expect(await isAlive(innerIdentity)).toBe(false);
});
