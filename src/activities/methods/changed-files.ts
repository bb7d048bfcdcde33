import { lstatSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that calls of one run may leave, and how large each may be. */
const FILES_AT_MOST = 50;
const BYTES_AT_MOST = 256 * 1024;

// The file system's clock may be a tick behind.
const SLACK_MS = 10;

const LEFT_OUT = ['.git', '__pycache__', '.pytest_cache', 'node_modules'];

/**
 * Regular files of a tree that were written since a moment, by their path: small ones, and a few at most. What was
 * removed is not told.
 */
export async function changedFiles({
  treeDir,
  sinceMs,
}: {
  treeDir: string;
  sinceMs: number;
}): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(treeDir, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.includes(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const { ctimeMs, size } = lstatSync(join(treeDir, path));
      if (ctimeMs < sinceMs - SLACK_MS || size > BYTES_AT_MOST) continue;
      found.set(path, await readFile(join(treeDir, path)));
      if (found.size >= FILES_AT_MOST) return found;
    }
  }
  return found;
}
