import { rm } from 'node:fs/promises';
import { execa } from 'execa';

/**
 * Removes a folder with everything that tests left in it; a folder that is not there is removed already.
 *
 * Tests may take the right to write from their folders, and nest them deeper than a path can be long: what plain
 * removal refuses is made writable and removed by the system's own tools, which go by folder and follow no link.
 * Rejects when something stays.
 */
export async function removeTree({ dir }: { dir: string }): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch {
    await execa('chmod', ['-R', 'u+rwx', '--', dir], { reject: false, stdin: 'ignore' });
    await execa('rm', ['-rf', '--', dir], { stdin: 'ignore' });
  }
}
