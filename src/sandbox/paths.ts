import { isAbsolute, relative } from 'node:path';

/** True when `path` is `dir` or lies below it; both absolute. Symbolic links are not resolved. */
export function isWithin(path: string, dir: string): boolean {
  const rest = relative(dir, path);
  return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith('../'));
}
