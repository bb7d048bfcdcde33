import { readFile } from 'node:fs/promises';
import { InputError } from '../../errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'reading it is not permitted',
  ENOTDIR: 'a part of its path is not a folder',
};

/** Why a file could not be read, in words. */
function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** The bytes of a file that someone named with `flag`. Throws TG-I03 when it cannot be read. */
export async function readNamedFile({
  path,
  given,
  flag,
}: {
  path: string;
  given: string;
  flag: string;
}): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InputError({
      code: 'TG-I03',
      what: `${flag} ${given}: ${whyUnreadable(error)}.`,
      meaning: 'Nothing was started.',
      fix: `Check the path${path === given ? '' : ` (it was taken as ${path})`}.`,
      cause: error,
    });
  }
}
