import { git, tryGit } from './git.js';
import type { Scratch } from './scratch.js';

/** A file of a tree. */
export interface TreeFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** `100644`, `100755` (executable), `120000` (symbolic link) or `160000` (submodule). */
  readonly mode: string;
  /** Size in bytes; 0 for a submodule. */
  readonly bytes: number;
}

/** Every file of a tree, sorted by path. */
export async function listTree({ scratch, treeId }: { scratch: Scratch; treeId: string }): Promise<TreeFile[]> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', treeId];
  const entries = (await git({ gitDir: scratch.gitDir, args })).toString().split('\0').filter(Boolean);
  return entries.map((entry) => {
    const tab = entry.indexOf('\t');
    const [mode = '', , , bytes = ''] = entry.slice(0, tab).split(/ +/);
    return { path: entry.slice(tab + 1), mode, bytes: Number(bytes) || 0 };
  });
}

/** Bytes of a file of a tree (the target's name for a symbolic link); undefined when there is no such file. */
export async function readTreeFile({
  scratch,
  treeId,
  path,
}: {
  scratch: Scratch;
  treeId: string;
  path: string;
}): Promise<Uint8Array | undefined> {
  const { gitDir } = scratch;
  // git would take a path that starts with a dot as relative to a working tree.
  const plain = path.replace(/^(\.\/+)+/, '');
  const read = await tryGit({ gitDir, args: ['cat-file', 'blob', `${treeId}:${plain}`] });
  if (read.exitCode === 0) return read.stdout;
  await git({ gitDir, args: ['cat-file', '-e', `${treeId}^{tree}`] });
  return undefined;
}
