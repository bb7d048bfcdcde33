import { resolve } from 'node:path';
import { findConfig } from './find-config.js';
import type { ConfigFile } from './read-config.js';

/**
 * The configuration file of a command: the one that is named, else that of the folder that is worked on; null when
 * there is none. Throws TG-I03 and TG-I13, see readConfig.
 */
export async function loadConfig({
  named,
  folder,
  cwd,
}: {
  /** --config or TESTGRAD_CONFIG. */
  named: string | undefined;
  /** --repo. */
  folder: string | undefined;
  cwd: string;
}): Promise<ConfigFile | null> {
  const path = named === undefined ? await findConfig(resolve(cwd, folder ?? '.')) : resolve(cwd, named);
  if (path === null) return null;
  // Loaded when there is a file, so that commands without one do not wait for a YAML parser.
  const { readConfig } = await import('./read-config.js');
  return readConfig(path);
}
