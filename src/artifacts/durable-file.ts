import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isErrno } from './store-errors.js';

interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Directory on the same file system for the unfinished file; a kill may leave one behind. */
  readonly temporaryDir: string;
}

/** Writes a file so that it is complete or absent whatever happens, and durable on return; replaces one that is there. */
export async function writeDurably({ path, bytes, temporaryDir }: NewFile): Promise<void> {
  await ensureDirectory(dirname(path));
  const temporary = await writeTemporary({ bytes, temporaryDir });
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Like {@link writeDurably}, but never replaces: false when a file was there, complete and durable as well. */
export async function createDurably({ path, bytes, temporaryDir }: NewFile): Promise<boolean> {
  await ensureDirectory(dirname(path));
  const temporary = await writeTemporary({ bytes, temporaryDir });
  try {
    // A hard link appears with its content and refuses to replace, which neither open(wx) nor rename does.
    await link(temporary, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    await syncDirectory(dirname(path));
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(dirname(path));
  return true;
}

/** Adds one write at the end of a file and makes it durable; `record` learns whether the file ends within a line. */
export async function appendDurably({
  path,
  record,
}: {
  path: string;
  record: (torn: boolean) => string;
}): Promise<void> {
  await ensureDirectory(dirname(path));
  const file = await open(path, 'a+');
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read({ buffer: last, position: size - 1 });
    await file.appendFile(record(size > 0 && last.toString() !== '\n'));
    await file.datasync();
  } finally {
    await file.close();
  }
  await syncDirectory(dirname(path));
}

async function writeTemporary({ bytes, temporaryDir }: { bytes: Uint8Array; temporaryDir: string }): Promise<string> {
  await mkdir(temporaryDir, { recursive: true });
  const temporary = join(temporaryDir, randomUUID());
  try {
    const file = await open(temporary, 'wx', 0o444);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return temporary;
}

/** A new directory is durable only when its parents are synchronised too. */
async function ensureDirectory(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true });
  if (firstMade === undefined) return;
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) await syncDirectory(dirname(made));
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
