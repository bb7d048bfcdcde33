import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Digest of the built code that `mainFile` (`dist/cli/main.js`) belongs to: the file `build-id` at the top of the
 * build, or where there is none the digest of `mainFile` itself.
 */
export async function readBuildId({ mainFile }: { mainFile: string }): Promise<string> {
  try {
    return (await readFile(join(dirname(dirname(mainFile)), 'build-id'), 'utf8')).trim();
  } catch {
    return createHash('sha256')
      .update(await readFile(mainFile))
      .digest('hex');
  }
}
