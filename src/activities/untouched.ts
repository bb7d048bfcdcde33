import { lstatSync, readdirSync } from 'node:fs';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A moment from which on a tree is watched. */
export interface Watched {
  /** False when anything in the tree may have changed since: written, renamed, removed, or its attributes. */
  readonly isUntouched: () => Promise<boolean>;
}

/** Times of files go by ticks of the kernel, ten milliseconds at the most: what is this much older was before. */
const TICK_MS = 10;

/** How far the clock may go astray during an execution before times of files say nothing. */
const CLOCK_SLACK_MS = 100;

/** Waits until changes made before can be told from those made after. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3 * TICK_MS));

/**
 * Watches a tree by the change times of its files and folders, which the kernel sets and no program can forge: adding
 * and removing changes the folder, all else the file itself. Our own last change must have settled.
 *
 * @param stamp path of a file outside of the tree that is made for the comparison
 */
export async function watchTree({ tree, stamp }: { tree: string; stamp: string }): Promise<Watched> {
  await writeFile(stamp, '');
  const { mtimeMs } = await stat(stamp);
  // What happens within the tick of the stamp itself must count as later.
  const since = new Date(mtimeMs - TICK_MS);
  await utimes(stamp, since, since);
  const [wall, monotonic] = [Date.now(), performance.now()];
  return {
    isUntouched: async () => {
      const drift = Date.now() - wall - (performance.now() - monotonic);
      if (Math.abs(drift) > CLOCK_SLACK_MS) return false;
      return !(await hasChanged({ tree, sinceMs: since.getTime() }));
    },
  };
}

/** A folder at a time, so that a large tree does not hold up the worker's event loop. */
async function hasChanged({ tree, sinceMs }: { tree: string; sinceMs: number }): Promise<boolean> {
  const folders = [tree];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      if (lstatSync(folder).ctimeMs > sinceMs) return true;
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (lstatSync(path).ctimeMs > sinceMs) return true;
      }
    } catch {
      // What cannot be read any more has been changed.
      return true;
    }
    await setImmediate();
  }
  return false;
}
