import { access, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ArtifactRef } from '../core/artifact.js';
import { canonicalJson } from './canonical-json.js';
import { digestOf } from './content-key.js';
import { appendDurably, createDurably, writeDurably } from './durable-file.js';
import { keyFileName } from './key-path.js';
import { ledgerLines, ledgerRecord } from './ledger-lines.js';
import type { ArtifactStore, StoreKey } from './store.js';
import { damagedArtifact, isErrno, withDiskErrors } from './store-errors.js';

/** Unfinished files this old belong to a process that was killed: no write takes a day. */
const ABANDONED_AFTER_MS = 86_400_000;

/**
 * A store in a directory, which is made when it is first written to.
 *
 * `objects/aa/<sha256>` holds the bytes, `refs/<kind>/<key>` the bindings, `markers/<kind>/<key>` the marks,
 * `ledger/<key>.jsonl` the ledgers and `tmp/` unfinished writes. Keys that are no safe file names appear as
 * `~<sha256 of the key>`. The file system must know hard links.
 */
export function createFileStore({ dir }: { dir: string }): ArtifactStore {
  const root = resolve(dir);
  const temporaryDir = join(root, 'tmp');
  const objectPath = (digest: string) => join(root, 'objects', digest.slice(0, 2), digest);
  const namePath = (folder: string, { kind, key }: StoreKey) => join(root, folder, keyFileName(kind), keyFileName(key));
  const ledgerPath = (key: string) => join(root, 'ledger', `${keyFileName(key)}.jsonl`);
  let swept: Promise<void> | undefined;

  const write = <T>(work: () => Promise<T>): Promise<T> =>
    withDiskErrors({
      dir: root,
      work: async () => {
        swept ??= removeAbandoned(temporaryDir);
        await swept;
        return work();
      },
    });

  const store: ArtifactStore = {
    put: ({ bytes, mediaType }) =>
      write(async () => {
        const digest = digestOf(bytes);
        const path = objectPath(digest);
        const present = await readIfPresent(path);
        if (present === undefined || !present.equals(bytes)) await writeDurably({ path, bytes, temporaryDir });
        return { digest, bytes: bytes.byteLength, mediaType };
      }),

    get: async ({ digest }) => {
      const name = `object ${digest}`;
      if (!isDigest(digest)) throw damagedArtifact({ name, problem: 'has no valid digest' });
      const bytes = await readIfPresent(objectPath(digest));
      if (bytes === undefined) throw damagedArtifact({ name, problem: `is missing in ${root}` });
      if (digestOf(bytes) !== digest) throw damagedArtifact({ name, problem: `is damaged in ${root}` });
      return bytes;
    },

    has: async ({ digest }) => isDigest(digest) && exists(objectPath(digest)),

    bind: ({ kind, key, ref }) =>
      write(async () => {
        if (!(await store.has(ref))) {
          throw damagedArtifact({ name: `object ${ref.digest}`, problem: `is missing in ${root}` });
        }
        const path = namePath('refs', { kind, key });
        const created = await createDurably({ path, bytes: Buffer.from(canonicalJson(ref)), temporaryDir });
        return { ref: created ? ref : await readRef(path), created };
      }),

    lookup: async (name) => {
      const path = namePath('refs', name);
      return (await exists(path)) ? readRef(path) : undefined;
    },

    appendLedger: ({ key, line }) =>
      write(() => appendDurably({ path: ledgerPath(key), record: (torn) => ledgerRecord({ line, torn }) })),

    readLedger: async ({ key }) => ledgerLines((await readIfPresent(ledgerPath(key)))?.toString() ?? ''),

    createMarker: (name) =>
      write(() => createDurably({ path: namePath('markers', name), bytes: Buffer.alloc(0), temporaryDir })),
  };
  return store;
}

function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

async function readRef(path: string): Promise<ArtifactRef> {
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text) as ArtifactRef;
  } catch (cause) {
    throw damagedArtifact({ name: `binding ${path}`, problem: 'is damaged', cause });
  }
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

async function removeAbandoned(temporaryDir: string): Promise<void> {
  const names = await readdir(temporaryDir).catch(() => []);
  for (const name of names) {
    const path = join(temporaryDir, name);
    const status = await stat(path).catch(() => undefined);
    if (status !== undefined && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}
