import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Absolute path of a program, or null when there is none that can be executed.
 *
 * @param searchPath directories to look in, as in PATH; default this process's own PATH
 */
export function findExecutable({
  name,
  searchPath = process.env.PATH,
}: {
  name: string;
  searchPath?: string | undefined;
}): string | null {
  if (isAbsolute(name)) return isExecutable(name) ? name : null;
  const dirs = (searchPath ?? '').split(delimiter).filter((dir) => dir !== '');
  return dirs.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
