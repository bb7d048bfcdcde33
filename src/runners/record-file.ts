import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Ten thousand failing tests with all that is said about them fit into it. */
const MAX_BYTES = 32 * 1024 ** 2;

/** What stands where a record should be. */
export interface RecordFile {
  /** The record's text, or its beginning; empty when there is none. */
  readonly text: string;
  /** Why the text is not the whole record of an honest run; empty when it is. */
  readonly problem: string;
}

/** What an open meets where something else than a file of ours was put. */
const NOT_OURS = new Set(['EACCES', 'EISDIR', 'ELOOP', 'ENODEV', 'ENOTDIR', 'ENXIO', 'EPERM']);

/**
 * Reads the record of a finished run from the host's side. The tests may have put anything in its place: a link leads
 * nowhere, nothing but a regular file is read (a pipe would be waited for without end), and no more than `maxBytes`
 * of it, by default 32 MiB.
 */
export async function readRecordFile({
  path,
  maxBytes = MAX_BYTES,
}: {
  path: string;
  maxBytes?: number;
}): Promise<RecordFile> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { text: '', problem: '' };
    if (NOT_OURS.has(code)) return { text: '', problem: 'The record of the run was replaced by something else.' };
    throw error;
  }
  try {
    return await readBeginning({ file, status: await file.stat(), maxBytes });
  } finally {
    await file.close();
  }
}

async function readBeginning({
  file,
  status,
  maxBytes,
}: {
  file: FileHandle;
  status: Stats;
  maxBytes: number;
}): Promise<RecordFile> {
  if (!status.isFile()) return { text: '', problem: 'The record of the run was replaced by something else.' };
  const bytes = Buffer.alloc(Math.min(status.size, maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const problem = status.size > maxBytes ? `The record of the run is larger than ${maxBytes} bytes.` : '';
  return { text: bytes.toString('utf8', 0, length), problem };
}
