import { posix } from 'node:path';
import { tryGit } from './git.js';

/** Import roots when none is named: `src` if it holds packages or modules, else the folder of --repo itself. */
export async function defaultImportRoots({
  topLevel,
  treeId,
  prefix,
}: {
  topLevel: string;
  treeId: string;
  /** Where --repo is below the root, `packages/core/`; empty at the root. */
  prefix: string;
}): Promise<string[]> {
  const root = prefix === '' ? '.' : prefix.replace(/\/$/, '');
  const src = posix.join(root, 'src');
  const listed = await tryGit({
    cwd: topLevel,
    args: ['ls-tree', '-r', '--name-only', '-z', '--full-tree', treeId, `${src}/`],
  });
  const below = listed.stdout
    .toString('utf8')
    .split('\0')
    .map((path) => path.slice(src.length + 1));
  // `src/module.py` or `src/package/…`; a package that is itself called src has an __init__.py.
  const isLayout = !below.includes('__init__.py') && below.some((path) => /^[^/]+\.py$|^[^/]+\/.*\.py$/.test(path));
  return [isLayout ? src : root];
}
