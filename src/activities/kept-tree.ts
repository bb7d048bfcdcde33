import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, realpath, rename, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { discard } from './discard.js';

/**
 * A tree that is made once on this host and kept: `<trees>/<name>`, where it appears when it is complete. Several
 * processes may want it at one time; whoever comes second uses the first one's, and a kill leaves none half made.
 *
 * @param stays true when `make` writes down where it is, so that the tree cannot be moved afterwards: it is made at its
 * last place, and the name becomes a link to it
 * @returns the tree's own path
 */
export async function keptTree({
  trees,
  name,
  stays,
  make,
}: {
  trees: string;
  name: string;
  stays: boolean;
  make: (dir: string) => Promise<void>;
}): Promise<string> {
  const kept = join(trees, name);
  const known = await pathOf(kept);
  if (known !== null) return known;
  await mkdir(trees, { recursive: true });
  const fresh = join(trees, stays ? `${name}.${randomUUID()}` : `.new-${randomUUID()}`);
  try {
    await make(fresh);
    await (stays ? symlink(basename(fresh), kept) : rename(fresh, kept));
  } catch (error) {
    await discard(fresh);
    // Another execution was faster: its tree is the same.
    if ((await pathOf(kept)) === null) throw error;
  }
  return realpath(kept);
}

const pathOf = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/** Trees below `trees` that are being made or were left half made, as absolute paths. */
export async function unfinishedTrees(trees: string): Promise<string[]> {
  const names = await readdir(trees).catch((): string[] => []);
  const linked = await Promise.all(names.map((name) => readlink(join(trees, name)).catch(() => null)));
  const isUnfinished = (name: string): boolean =>
    name.startsWith('.') || (/\.[0-9a-f-]{36}$/.test(name) && !linked.includes(name));
  return names.filter(isUnfinished).map((name) => join(trees, name));
}
