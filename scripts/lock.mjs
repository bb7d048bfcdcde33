import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STALE_MS = 15 * 60_000;

/** Runs `work` while no other script holds the folder `dir` as a lock; one whose holder has died is taken over. */
export async function withLock({ dir, work }) {
  mkdirSync(dirname(dir), { recursive: true });
  while (!tryTake(dir)) {
    if (isStale(dir)) rmSync(dir, { recursive: true, force: true });
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function tryTake(dir) {
  try {
    mkdirSync(dir);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(dir, 'pid'), String(process.pid));
  return true;
}

function isStale(dir) {
  try {
    const ageMs = Date.now() - statSync(dir).mtimeMs;
    if (ageMs > STALE_MS) return true;
    const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
    // The pid is written a moment after the folder is made.
    return pid > 0 ? !runs(pid) : ageMs > 1_000;
  } catch (error) {
    return error.code !== 'ENOENT';
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
