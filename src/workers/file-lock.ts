import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from './process-identity.js';

// Breaking a lock takes milliseconds; a guard this old was left by a process that died in it.
const GUARD_STALE_MS = 10_000;

/**
 * Runs `work` while this process holds the lock file; other holders are waited for. A lock whose holder has died is
 * taken over. Within one process it excludes as well.
 *
 * `onTimeout` makes the error that is thrown when the lock is not had within `timeoutMs`; it gets the holder's pid.
 */
export async function withFileLock<T>({
  file,
  timeoutMs,
  onTimeout,
  work,
}: {
  file: string;
  timeoutMs: number;
  onTimeout: (holderPid: number | null) => Error;
  work: () => Promise<T>;
}): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const self = await identify(process.pid);
  const token = randomUUID();
  const draft = `${file}.${token}`;
  await writeFile(draft, JSON.stringify({ ...self, token }));
  try {
    const deadline = performance.now() + timeoutMs;
    while (!(await tryLink({ draft, file }))) {
      const holder = await readHolder(file);
      if (holder !== null && !(await isAlive(holder))) await breakLock(file);
      else if (performance.now() >= deadline) throw onTimeout(holder?.pid ?? null);
      else await sleep(50);
    }
  } finally {
    await unlink(draft);
  }
  try {
    return await work();
  } finally {
    await unlink(file).catch(() => undefined);
  }
}

/** A hard link is made or refused as a whole, so no one ever sees a lock without its holder's name. */
async function tryLink({ draft, file }: { draft: string; file: string }): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The holder; null when the lock was just released. An unreadable file counts as a holder that is gone. */
async function readHolder(file: string): Promise<ProcessIdentity | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return null;
  }
  try {
    const { pid, startedAt } = JSON.parse(text) as Partial<ProcessIdentity>;
    return { pid: pid ?? 0, startedAt: startedAt ?? '' };
  } catch {
    return { pid: 0, startedAt: '' };
  }
}

/** Removes the lock of a dead holder. The guard lets one process at a time look and remove, never a live lock. */
async function breakLock(file: string): Promise<void> {
  const guard = `${file}.guard`;
  try {
    await mkdir(guard);
  } catch {
    const age = await stat(guard).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > GUARD_STALE_MS) await rmdir(guard).catch(() => undefined);
    else await sleep(20);
    return;
  }
  try {
    const holder = await readHolder(file);
    if (holder !== null && !(await isAlive(holder))) await unlink(file).catch(() => undefined);
  } finally {
    await rmdir(guard).catch(() => undefined);
  }
}
