import { chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOBODY = 65534;

/**
 * Gives up root, whom no mode of a folder stops, and returns a new temporary folder of the user that is left; for a
 * process of its own. The system's temporary folder has to let others through, not more.
 */
export function becomePlainUser({ prefix }: { prefix: string }): string {
  const outer = mkdtempSync(join(tmpdir(), prefix));
  // The user can remove what lies in a folder of its own, but not that folder.
  const dir = join(outer, 'folder');
  mkdirSync(dir);
  if (process.getuid?.() !== 0) return dir;
  for (const path of [outer, dir]) chownSync(path, NOBODY, NOBODY);
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
  return dir;
}
