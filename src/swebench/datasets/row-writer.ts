import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes rows as JSONL to a file that appears whole when it is finished. */
export interface RowWriter {
  readonly write: (row: unknown) => Promise<void>;
  /** Puts the file in its place. */
  readonly finish: () => Promise<void>;
  /** Removes what was written; harmless after `finish`. */
  readonly discard: () => Promise<void>;
}

/** Opens a writer; waits whenever the disk is behind. `mode` are the permissions of the file, e.g. 0o600. */
export async function openRowWriter({ path, mode }: { path: string; mode: number }): Promise<RowWriter> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${randomUUID()}.part`;
  const stream = createWriteStream(partial, { flags: 'wx', mode });
  await once(stream, 'open');
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => undefined);
  return {
    write: async (row) => {
      if (!stream.write(`${JSON.stringify(row)}\n`)) await Promise.race([once(stream, 'drain'), failed]);
    },
    finish: async () => {
      stream.end();
      await Promise.race([once(stream, 'close'), failed]);
      await rename(partial, path);
    },
    discard: async () => {
      stream.destroy();
      await rm(partial, { force: true });
    },
  };
}
