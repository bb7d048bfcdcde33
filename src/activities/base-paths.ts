import type { InstanceSpec } from '../core/instance.js';
import { listTree } from '../repository/tree-files.js';
import { openRepository } from './open-repository.js';
import type { Services } from './services.js';

/** What is where in a tree; paths are relative to its root. */
export interface TreePaths {
  /** Files, and what only looks like one from here: links and submodules. */
  readonly entries: ReadonlySet<string>;
  /** Folders, the root as an empty string. */
  readonly folders: ReadonlySet<string>;
}

const known = new Map<string, Promise<readonly string[]>>();

/** Paths of the base with those of some more files; git is asked once a process and tree. */
export async function basePaths({
  services,
  instance,
  more,
}: {
  services: Services;
  instance: InstanceSpec;
  more: readonly string[];
}): Promise<TreePaths> {
  const { treeId } = instance.repository;
  const listing = known.get(treeId) ?? listBase({ services, instance });
  known.set(treeId, listing);
  listing.catch(() => known.delete(treeId));
  const entries = new Set([...(await listing), ...more]);
  return { entries, folders: new Set([...entries].flatMap(foldersAbove)) };
}

async function listBase({ services, instance }: { services: Services; instance: InstanceSpec }): Promise<string[]> {
  const scratch = await openRepository({ services, instance });
  const files = await listTree({ scratch, treeId: instance.repository.treeId });
  return files.map(({ path }) => path);
}

/** All folders above a path, the nearest first and the root, an empty string, last. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}
