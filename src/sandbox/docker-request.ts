import { isAbsolute } from 'node:path';
import { removalOf } from './docker-removal.js';
import type { TarItem } from './docker-tar.js';
import type { Tree } from './docker-tree.js';
import { hostTree, pathItems, treeChange, treeItems } from './docker-tree.js';
import type { SandboxRequest } from './types.js';

/**
 * What a request puts into a container whose image holds `tree` at the request's place, and the program that then
 * starts there. Only what differs is copied.
 */
export async function requestItems({
  request,
  tree,
}: {
  request: SandboxRequest;
  tree: Tree;
}): Promise<{ readonly items: readonly TarItem[]; readonly argv: readonly string[] }> {
  const { treeDir, mountAt, env, scratchDir, readOnlyPaths, argv } = request;
  const wanted = await hostTree({ dir: treeDir, hash: hashOf(tree) });
  const { write, remove } = treeChange({ from: tree, to: wanted });
  const shown = await Promise.all([...new Set(readOnlyPaths)].map((path) => pathItems({ path })));
  const home = env.HOME !== undefined && isAbsolute(env.HOME) ? [env.HOME] : [];
  const items: TarItem[] = [
    ...home.map((path): TarItem => ({ kind: 'folder', path, mode: 0o755 })),
    // Every user may write there, as in the directory for temporary files, which may be one of them.
    ...[scratchDir, ...(env.TMPDIR === undefined ? [] : [env.TMPDIR])].map(
      (path): TarItem => ({ kind: 'folder', path, mode: 0o1777 }),
    ),
    ...(await treeItems({ dir: treeDir, at: mountAt, tree: wanted, paths: write })),
    ...shown.flat(),
  ];
  const removal = removalOf({ at: mountAt, change: { write, remove }, to: wanted });
  return { items: [...items, ...removal.items], argv: [...removal.prefix, ...argv] };
}

/** Object format of the repository that a tree was read from. */
export function hashOf(tree: Tree): 'sha1' | 'sha256' {
  const [first] = tree.values();
  return first?.id.length === 64 ? 'sha256' : 'sha1';
}
