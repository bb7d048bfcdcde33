/**
 * True for a path (relative to the repository's root) that names something outside of it or git's own files: absolute,
 * with a `..`, or with a `.git` in it. Such a path is never read, written or handed to git.
 */
export function leavesRepository(path: string): boolean {
  return path.startsWith('/') || path.split('/').some((part) => part === '..' || part.toLowerCase() === '.git');
}
