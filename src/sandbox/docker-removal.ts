import { dirname } from 'node:path';
import type { TarItem } from './docker-tar.js';
import type { Tree, TreeChange } from './docker-tree.js';

const FILES = '/opt/testgrad/removed-files';
const FOLDERS = '/opt/testgrad/removed-folders';
/** Names come from files and the program's arguments stay arguments: neither is a part of the shell's text. */
const SCRIPT = `xargs -0 rm -f -- < ${FILES} && { xargs -0 rmdir -- < ${FOLDERS} 2>/dev/null || true; } && exec "$@"`;

/**
 * How files go away that a tree has no more: Docker can only copy into a container. The folders that they leave empty go
 * with them, unless something else is in them, because Python would still import those.
 *
 * @returns items for the container, and what to put before a program there; both empty when nothing goes
 */
export function removalOf({ at, change, to }: { at: string; change: TreeChange; to: Tree }): {
  readonly items: readonly TarItem[];
  readonly prefix: readonly string[];
} {
  if (change.remove.length === 0) return { items: [], prefix: [] };
  const kept = new Set([...to.keys()].flatMap(foldersOf));
  const left = new Set(change.remove.flatMap(foldersOf).filter((folder) => !kept.has(folder)));
  const deepestFirst = [...left].toSorted((one, other) => other.length - one.length);
  const list = (path: string, names: readonly string[]): TarItem => {
    const content = Buffer.from(names.map((name) => `${at}/${name}\0`).join(''));
    return { kind: 'file', path, content, mode: 0o644 };
  };
  return { items: [list(FILES, change.remove), list(FOLDERS, deepestFirst)], prefix: ['/bin/sh', '-c', SCRIPT, 'sh'] };
}

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
