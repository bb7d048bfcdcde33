import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_FOLDERS } from '../../core/state-folder.js';
import { runFolder } from '../places.js';
import type { RunRecord } from '../run-index.js';
import type { RunState } from '../run-states.js';

/** Something that could be removed. */
export interface Removable {
  readonly kind: 'run' | 'tree' | 'copy' | 'cache' | 'container' | 'image';
  /** Absolute; the id of what Docker has. */
  readonly path: string;
  /** Run id or name, for people. */
  readonly name: string;
  readonly bytes: number;
  /** Why it may go. */
  readonly reason: string;
}

const DAY_MS = 86_400_000;

/** Folders of kept trees and repositories below the work folder; all can be made again from the store. */
const KEPT = ['trees', 'repositories'] as const;

/**
 * What of a state folder and the cache could be removed, and why; looks only.
 *
 * A run goes when no command has used it for `olderThanDays` and it has come to an end: one whose state is not known
 * may be in work on a server that does not answer, and stays. Trees are shared by runs, so they go only while nothing is
 * `busy` and no throw-away copy is younger than a day, which a worker of another server may work in. Never listed: the store, which holds what was paid, and the local server's database.
 */
export async function planClean({
  home,
  cacheDir,
  runs,
  busy,
  olderThanDays,
  nowMs,
}: {
  home: string;
  cacheDir: string;
  runs: readonly { readonly record: RunRecord; readonly state: RunState }[];
  /** True when a run is in work, or when that cannot be known. */
  busy: boolean;
  olderThanDays: number;
  nowMs: number;
}): Promise<Removable[]> {
  const isOld = (ms: number): boolean => nowMs - ms >= olderThanDays * DAY_MS;
  const days = (ms: number): string => `${Math.floor((nowMs - ms) / DAY_MS)} days`;
  const found: Removable[] = [];
  for (const { record, state } of runs) {
    const usedMs = Date.parse(record.usedAt);
    if (state === 'running' || state === 'unknown' || !isOld(usedMs)) continue;
    const path = runFolder({ home, runId: record.runId });
    const reason = `${state}, not used for ${days(usedMs)}`;
    found.push({ kind: 'run', path, name: `${record.runId} ${record.name}`, bytes: await sizeOf(path), reason });
  }
  const work = join(home, STATE_FOLDERS.work);
  const copies = await Promise.all(
    (await entriesOf(join(work, 'runs'))).map(async (path) => ({ path, usedMs: await newest(path) })),
  );
  if (!busy && copies.every(({ usedMs }) => nowMs - usedMs >= DAY_MS)) {
    for (const folder of KEPT) {
      for (const path of await entriesOf(join(work, folder))) {
        const reason = 'no run is in work; made again from the store';
        found.push({ kind: 'tree', path, name: nameOf(path), bytes: await sizeOf(path), reason });
      }
    }
    for (const { path } of copies) {
      found.push({ kind: 'copy', path, name: nameOf(path), bytes: await sizeOf(path), reason: 'no run is in work' });
    }
  }
  for (const path of await entriesOf(cacheDir)) {
    const usedMs = await newest(path);
    if (!isOld(usedMs)) continue;
    const reason = `not changed for ${days(usedMs)}; fetched again when it is wanted`;
    found.push({ kind: 'cache', path, name: nameOf(path), bytes: await sizeOf(path), reason });
  }
  return found;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const entriesOf = async (dir: string): Promise<string[]> =>
  (await readdir(dir).catch((): string[] => [])).sort().map((name) => join(dir, name));

/** Bytes of all files below a path; links are not followed, what goes meanwhile counts nothing. */
export async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const entry of await entriesOf(path)) bytes += await sizeOf(entry);
  return bytes;
}

/** When anything directly in a folder was last changed or a file in it was read; looking at a folder counts as neither. */
async function newest(path: string): Promise<number> {
  const times = await Promise.all(
    [path, ...(await entriesOf(path))].map(async (each) => {
      const found = await stat(each).catch(() => null);
      return found === null ? 0 : Math.max(found.mtimeMs, found.isFile() ? found.atimeMs : 0);
    }),
  );
  return Math.max(...times);
}
