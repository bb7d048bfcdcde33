import { git } from './git.js';

/** Where two trees can be read. */
interface TreePair {
  readonly gitDir: string;
  readonly borrowFrom?: string | undefined;
  readonly from: string;
  readonly to: string;
}

/** A path that differs between two trees; a rename is a deletion and an addition. */
export interface TreeChange {
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'modified';
  /** Mode and object id on the `from` side, for putting the path back; zeros for an added one. */
  readonly oldMode: string;
  readonly oldId: string;
}

/**
 * The difference of two trees as a patch that makes exactly `to` out of `from`: binary content included, full ids,
 * `a/` and `b/` prefixes, three lines of context, whatever the repository configures.
 *
 * `renames: true` writes a moved file as a rename, which is shorter to read; false as a deletion and an addition, which
 * every tool can apply.
 */
export async function diffTrees({
  gitDir,
  borrowFrom,
  from,
  to,
  renames,
}: TreePair & { renames: boolean }): Promise<Buffer> {
  const content = ['-p', '--binary', '--full-index', '--unified=3', '--src-prefix=a/', '--dst-prefix=b/'];
  const neutral = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', '--diff-algorithm=myers'];
  const moved = renames ? ['--find-renames=50%', '-l1000'] : ['--no-renames'];
  return git({ gitDir, borrowFrom, args: ['diff-tree', '-r', ...content, ...neutral, ...moved, from, to] });
}

/** The paths that differ between two trees, in git's order. */
export async function changedPaths({ gitDir, borrowFrom, from, to }: TreePair): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to];
  const fields = (await git({ gitDir, borrowFrom, args })).toString().split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', , oldId = '', , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const change = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified';
    changes.push({ path: fields[at + 1] ?? '', change, oldMode, oldId });
  }
  return changes;
}

/** Lines added and removed between two trees, per path; binary files count as 0. A rename counts what changed in it. */
export async function countLines({
  gitDir,
  borrowFrom,
  from,
  to,
}: TreePair): Promise<{ readonly added: number; readonly removed: number }> {
  const args = ['diff-tree', '-r', '--numstat', '--find-renames=50%', '-l1000', from, to];
  const rows = (await git({ gitDir, borrowFrom, args })).toString('latin1').split('\n').filter(Boolean);
  const total = (column: number) => rows.reduce((sum, row) => sum + (Number(row.split('\t')[column]) || 0), 0);
  return { added: total(0), removed: total(1) };
}
