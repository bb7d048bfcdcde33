import { lstat, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IndexPlace } from './apply-sections.js';
import { git, gitLine } from './git.js';

/**
 * Puts the working tree's files at these paths into an index of ours, byte for byte as they are on disk. Paths that are
 * not there, and paths beyond a symbolic link, are left out.
 */
export async function addWorkingFiles({
  place,
  topLevel,
  paths,
}: {
  place: IndexPlace;
  topLevel: string;
  paths: readonly string[];
}): Promise<void> {
  const entries: string[] = [];
  for (const path of new Set(paths)) {
    const file = await readWorkingFile({ topLevel, path });
    if (file !== undefined) entries.push(`${file.mode} ${await hash({ place, bytes: file.bytes })}\t${path}\0`);
  }
  await git({ ...place, args: ['update-index', '-z', '--index-info'], input: entries.join('') });
}

function hash({ place, bytes }: { place: IndexPlace; bytes: Uint8Array }): Promise<string> {
  return gitLine({ ...place, args: ['hash-object', '-w', '--no-filters', '--stdin'], input: bytes });
}

async function readWorkingFile({ topLevel, path }: { topLevel: string; path: string }) {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const status = await lstat(join(topLevel, parent)).catch(() => undefined);
    if (status === undefined || !status.isDirectory()) return undefined;
  }
  const file = join(topLevel, path);
  const status = await lstat(file).catch(() => undefined);
  if (status?.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(await readlink(file)) };
  if (!status?.isFile()) return undefined;
  return { mode: (status.mode & 0o100) === 0 ? '100644' : '100755', bytes: await readFile(file) };
}
