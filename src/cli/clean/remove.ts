import { randomUUID } from 'node:crypto';
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../sandbox/remove-tree.js';
import type { Removable } from './plan-clean.js';

/** What became of one. */
export interface Removed {
  readonly item: Removable;
  /** Empty when it is gone. */
  readonly problem: string;
}

/**
 * Removes what a plan names, links before what they lead to. A folder first gets another name: whoever looks for it
 * finds it whole or not at all, and a kill leaves only what workers clear away.
 */
export async function removeAll(items: readonly Removable[]): Promise<Removed[]> {
  const withKind = await Promise.all(
    items.map(async (item) => ({ item, found: await lstat(item.path).catch(() => null) })),
  );
  const links = withKind.filter(({ found }) => found?.isSymbolicLink());
  const others = withKind.filter(({ found }) => !found?.isSymbolicLink());
  const removed: Removed[] = [];
  for (const { item, found } of [...links, ...others]) {
    try {
      if (found?.isDirectory()) {
        const aside = join(dirname(item.path), `.clean-${randomUUID()}`);
        await rename(item.path, aside);
        await removeTree({ dir: aside });
      } else {
        await rm(item.path, { force: true });
      }
      removed.push({ item, problem: '' });
    } catch (error) {
      removed.push({ item, problem: (error as Error).message });
    }
  }
  return removed;
}
