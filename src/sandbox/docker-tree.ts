import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TarItem } from './docker-tar.js';

/** Files of a tree: mode and content as git writes them (`100644`, `100755`, `120000`; id of the blob), by path. */
export type Tree = ReadonlyMap<string, { readonly mode: string; readonly id: string }>;

const LINK = '120000';
const PROGRAM = '100755';
const FILE = '100644';
/** Files read at one time. */
const AT_ONCE = 32;

/** Reads what `git ls-tree -r -z` prints; submodules are left out. */
export function parseTree(text: string): Tree {
  const entries = text.split('\0').flatMap((line) => {
    const [, mode, type, id, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (mode === undefined || id === undefined || path === undefined || type !== 'blob') return [];
    return [[path, { mode, id }] as const];
  });
  return new Map(entries);
}

/** The inverse of {@link parseTree}, in the order of the paths. */
export function formatTree(tree: Tree): string {
  const paths = [...tree.keys()].toSorted();
  return paths.map((path) => `${tree.get(path)?.mode} blob ${tree.get(path)?.id}\t${path}\0`).join('');
}

/**
 * The files below a directory of this host.
 *
 * @param hash the object format of the repository to compare with; default `sha1`
 */
export async function hostTree({ dir, hash = 'sha1' }: { dir: string; hash?: 'sha1' | 'sha256' }): Promise<Tree> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length).replace(/^\/+/, ''))
    .filter((path) => path !== '.git' && !path.startsWith('.git/'));
  const tree = new Map<string, { mode: string; id: string }>();
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const read = await Promise.all(some.map((path) => entryOf({ path: join(dir, path), hash })));
    for (const [index, path] of some.entries()) {
      const entry = read[index];
      if (entry !== undefined) tree.set(path, entry);
    }
  }
  return tree;
}

async function entryOf({ path, hash }: { path: string; hash: string }): Promise<{ mode: string; id: string }> {
  const stat = await lstat(path);
  const bytes = stat.isSymbolicLink() ? Buffer.from(await readlink(path, 'buffer')) : await readFile(path);
  const id = createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return { mode: stat.isSymbolicLink() ? LINK : (stat.mode & 0o100) === 0 ? FILE : PROGRAM, id };
}

/** What makes one tree of another. */
export interface TreeChange {
  /** Paths that are new or different. */
  readonly write: readonly string[];
  /** Paths that are not there any more. */
  readonly remove: readonly string[];
}

/** Differences between two trees; paths relative to their roots. */
export function treeChange({ from, to }: { from: Tree; to: Tree }): TreeChange {
  const isSame = (path: string): boolean =>
    from.get(path)?.id === to.get(path)?.id && from.get(path)?.mode === to.get(path)?.mode;
  return {
    write: [...to.keys()].filter((path) => !isSame(path)),
    remove: [...from.keys()].filter((path) => !to.has(path)),
  };
}

/** Files of a host directory as items for a container, at the same paths below `at`. */
export async function treeItems({
  dir,
  at,
  tree,
  paths,
}: {
  dir: string;
  at: string;
  tree: Tree;
  paths: readonly string[];
}): Promise<readonly TarItem[]> {
  return Promise.all(
    paths.map(async (path): Promise<TarItem> => {
      const [from, place] = [join(dir, path), `${at}/${path}`];
      const mode = tree.get(path)?.mode;
      if (mode === LINK) return { kind: 'link', path: place, target: await readlink(from) };
      return { kind: 'host-file', path: place, from, mode: mode === PROGRAM ? 0o755 : 0o644 };
    }),
  );
}

/** Everything below a host file or directory as items at the same absolute paths, for programs to read. */
export async function pathItems({ path }: { path: string }): Promise<readonly TarItem[]> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) return [{ kind: 'host-file', path, from: path, mode: 0o644 }];
  const tree = await hostTree({ dir: path });
  return treeItems({ dir: path, at: path, tree, paths: [...tree.keys()] });
}
