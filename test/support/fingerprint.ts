import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Everything in a folder, hidden files and `.git` too: path → mode and digest of the content. */
export async function fingerprint(dir: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await lstat(path);
    const content = entry.isFile() ? await readFile(path) : entry.isSymbolicLink() ? await readlink(path) : '';
    found[relative(dir, path)] = `${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`;
  }
  return found;
}
