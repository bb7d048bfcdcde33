import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOBODY = 65534;

/**
 * Gives up root, whom no mode of a folder stops, and returns a new temporary folder of the user that is left; for a
 * process of its own. The system's temporary folder has to let others through, not more.
 */
export function becomePlainUser({ prefix }: { prefix: string }): string {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  if (process.getuid?.() !== 0) return dir;
  chownSync(dir, NOBODY, NOBODY);
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
  return dir;
}
