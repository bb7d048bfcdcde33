import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Name of the configuration file. */
export const CONFIG_FILE = 'testgrad.config.yaml';

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * The configuration file that holds for a folder: in it, or above it up to the root of its git repository. Outside of
 * a repository only the folder itself counts. Null when there is none.
 */
export async function findConfig(folder: string): Promise<string | null> {
  const start = resolve(folder);
  const chain: string[] = [];
  for (let dir = start; ; dir = dirname(dir)) {
    chain.push(dir);
    if (await exists(join(dir, '.git'))) break;
    if (dirname(dir) === dir) {
      chain.length = 1;
      break;
    }
  }
  for (const dir of chain) {
    const file = join(dir, CONFIG_FILE);
    if (await exists(file)) return file;
  }
  return null;
}
