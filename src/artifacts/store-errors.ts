import { EnvironmentError, StoreError } from '../errors.js';

/** The error for an artifact that is not there, or whose bytes are not those that were put. */
export function damagedArtifact({ name, problem, cause }: { name: string; problem: string; cause?: unknown }) {
  return new StoreError({
    code: 'TG-R07',
    what: `The store's ${name} ${problem}.`,
    meaning: 'Nothing was decided on it; everything else in the store is still usable.',
    fix: 'Restore the store from a backup, or run the command again with an empty store directory.',
    cause,
  });
}

/** Turns the errors of a full disk into TG-E03; every other one passes unchanged. */
export async function withDiskErrors<T>({ dir, work }: { dir: string; work: () => Promise<T> }): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isErrno(error, 'ENOSPC') && !isErrno(error, 'EDQUOT')) throw error;
    throw new EnvironmentError({
      code: 'TG-E03',
      what: `No space left for the store in ${dir}.`,
      meaning: 'The run waits; what was stored before is complete.',
      fix: 'Free some space; the run goes on by itself, or run the same command again.',
      cause: error,
    });
  }
}

/** True for a system error with this code, `ENOENT`. */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
