import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';

/** A file, folder or link on its way into a container; `path` is absolute. Everything belongs to root there. */
export type TarItem =
  | { readonly kind: 'file'; readonly path: string; readonly content: Uint8Array; readonly mode: number }
  /** Read when its turn comes. */
  | { readonly kind: 'host-file'; readonly path: string; readonly from: string; readonly mode: number }
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Always the same, so that equal files make equal layers. */
const MODIFIED = new Date('2000-01-01T00:00:00Z');

/** Items as a tar archive for the container's root, bytes as they are; one file at a time is in memory. */
export function packItems(items: Iterable<TarItem>): Readable {
  const archive = pack();
  const fill = async (): Promise<void> => {
    for (const item of items) {
      const content =
        item.kind === 'host-file' ? await readFile(item.from) : item.kind === 'file' ? item.content : null;
      const name = item.path.replace(/^\/+/, '');
      const common = { name, uid: 0, gid: 0, mtime: MODIFIED };
      if (item.kind === 'folder') archive.entry({ ...common, type: 'directory', mode: item.mode });
      else if (item.kind === 'link') archive.entry({ ...common, type: 'symlink', linkname: item.target });
      else {
        const bytes = Buffer.from(content ?? []);
        const entry = archive.entry({ ...common, type: 'file', mode: item.mode, size: bytes.length });
        const written = once(entry, 'finish');
        entry.end(bytes);
        await written;
      }
    }
    archive.finalize();
  };
  fill().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.from(archive);
}

/** A file or folder out of a container. What is neither (a link, a pipe, a device) comes as `other`, without content. */
export interface UnpackedItem {
  /** As the archive names it: relative to the parent of what was asked for. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly content: Uint8Array;
}

/**
 * Reads an archive that an untrusted program had a hand in. `complete` is false when its files hold more than `maxBytes`
 * together: then the items are those before the one that was too much.
 */
export async function unpackItems({
  archive,
  maxBytes,
}: {
  archive: NodeJS.ReadableStream;
  maxBytes: number;
}): Promise<{ readonly items: readonly UnpackedItem[]; readonly complete: boolean }> {
  const items: UnpackedItem[] = [];
  const reader = extract();
  let total = 0;
  let complete = true;
  reader.on('entry', (header, stream, next) => {
    const chunks: Uint8Array[] = [];
    stream.on('data', (data) => {
      const chunk = data as Uint8Array;
      total += chunk.length;
      if (total <= maxBytes) chunks.push(chunk);
      else {
        complete = false;
        reader.destroy();
      }
    });
    stream.on('end', () => {
      const isFile = header.type === 'file' || header.type === 'contiguous-file';
      const kind = isFile ? 'file' : header.type === 'directory' ? 'folder' : 'other';
      if (complete) items.push({ path: header.name, kind, content: Buffer.concat(chunks) });
      next();
    });
  });
  try {
    await pipeline(archive, reader);
  } catch (error) {
    // We ended it ourselves: the rest need not be read.
    if (complete) throw error;
  }
  return { items, complete };
}
