import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Suite } from '../core/suite.js';
import { leavesRepository } from '../repository/safe-path.js';
import type { Services } from './services.js';

/**
 * Puts the suite's files into a copy of a candidate's tree, in place of whatever the candidate has there. Nothing is
 * written outside of the tree: a link to a folder in it is followed, any other one on the way gives way to a folder.
 */
export async function putSuiteFiles({
  services,
  treeDir,
  suite,
}: {
  services: Services;
  treeDir: string;
  suite: Suite;
}): Promise<void> {
  const root = await realpath(treeDir);
  for (const [path, ref] of Object.entries(suite.files)) {
    if (leavesRepository(path)) throw new Error(`The suite has a file outside of the repository: ${path}`);
    const target = join(await folderOf({ root, path }), basename(path));
    await rm(target, { recursive: true, force: true });
    await writeFile(target, await services.store.get(ref), { flag: 'wx' });
  }
}

/** The real folder of a file in the tree, made where there is none. */
async function folderOf({ root, path }: { root: string; path: string }): Promise<string> {
  let folder = root;
  for (const name of path.split('/').slice(0, -1)) {
    const next = join(folder, name);
    const real = await folderInside({ root, path: next });
    if (real === null) {
      await rm(next, { recursive: true, force: true });
      await mkdir(next);
    }
    folder = real ?? next;
  }
  return folder;
}

/** Where a path leads when that is a folder of the tree, else null. */
async function folderInside({ root, path }: { root: string; path: string }): Promise<string | null> {
  try {
    const real = await realpath(path);
    const isInside = real === root || real.startsWith(root + sep);
    return isInside && (await lstat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
