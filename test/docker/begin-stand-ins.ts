import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Begins to make the stand-in images while the tests that need none run. A test that wants one waits for it, or makes it
 * where it is not begun.
 */
export default function setup(): () => void {
  const script = fileURLToPath(new URL('../../scripts/stand-in-images.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  return () => void child.kill();
}
