import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { withTemporaryDir } from './bare-repository.js';
import { git } from './git.js';
import type { Scratch } from './scratch.js';

/**
 * Writes a tree as files: the bytes as git holds them (no filter, no line-end conversion), modes and symbolic links
 * kept, links followed nowhere, a submodule as an empty directory. There is no `.git` in it.
 *
 * `dir` must not exist; it appears when it is complete.
 */
export async function materialise({
  scratch,
  treeId,
  dir,
}: {
  scratch: Scratch;
  treeId: string;
  dir: string;
}): Promise<void> {
  const target = resolve(dir);
  if (existsSync(target)) throw new Error(`${target} is there already`);
  const fresh = join(dirname(target), `.${basename(target)}-${randomUUID()}`);
  try {
    await mkdir(fresh, { recursive: true });
    await withTemporaryDir({
      work: async (temporary) => {
        const place = { gitDir: scratch.gitDir, indexFile: join(temporary, 'index') };
        await git({ ...place, args: ['read-tree', treeId] });
        await git({ ...place, workTree: fresh, cwd: fresh, args: ['checkout-index', '--all', '--force', '--quiet'] });
      },
    });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
