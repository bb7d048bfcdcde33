import { randomUUID } from 'node:crypto';
import type { ArtifactRef } from '../core/artifact.js';
import { canonicalJson } from './canonical-json.js';
import { digestOf } from './content-key.js';
import { keyFileName } from './key-path.js';
import { ledgerRecord } from './ledger-lines.js';
import type { S3Bucket } from './s3-bucket.js';
import { unconditional } from './s3-errors.js';
import type { S3Location } from './s3-location.js';
import type { ArtifactStore, StoreKey } from './store.js';
import { damagedArtifact } from './store-errors.js';

/** Up to here, sending an object again costs no more than asking for it. */
const ASK_FROM_BYTES = 32 * 1024;
/** Enough for a million lines, and so that names sort as numbers do. */
const LINE_DIGITS = 12;
const READERS = 16;

/**
 * A store in S3-compatible storage, with the names of the file store below the location's prefix; a ledger is a folder
 * with one object a line, `ledger/<key>/000000000001`. Keys that are no safe names appear as `~<sha256 of the key>`.
 *
 * First writers win by conditional writes (`If-None-Match: *`). Storage that ignores these is refused before the first
 * one counts. Every method rejects with TG-E10 when the storage does not answer, with TG-E11 when it refuses.
 */
export function createS3Store({ bucket, location }: { bucket: S3Bucket; location: S3Location }): ArtifactStore {
  const objectName = (digest: string) => `objects/${digest.slice(0, 2)}/${digest}`;
  const nameOf = (folder: string, { kind, key }: StoreKey) => `${folder}/${keyFileName(kind)}/${keyFileName(key)}`;
  const where = `s3://${location.bucket}`;
  let checked: Promise<void> | undefined;

  /** True when this call made the object, also when the answer to an earlier sending of it was lost. */
  const create = async ({ name, text }: { name: string; text: string }): Promise<boolean> => {
    checked ??= checkConditions({ bucket, location });
    checked.catch(() => {
      checked = undefined;
    });
    await checked;
    const writer = randomUUID();
    if (await bucket.create({ name, bytes: Buffer.from(text), writer })) return true;
    return (await bucket.read(name))?.writer === writer;
  };

  const readRef = async (name: string): Promise<ArtifactRef | undefined> => {
    const found = await bucket.read(name);
    if (found === undefined) return undefined;
    try {
      return JSON.parse(found.bytes.toString()) as ArtifactRef;
    } catch (cause) {
      throw damagedArtifact({ name: `binding ${name}`, problem: `is damaged in ${where}`, cause });
    }
  };

  const store: ArtifactStore = {
    put: async ({ bytes, mediaType }) => {
      const digest = digestOf(bytes);
      const name = objectName(digest);
      const sha256 = Buffer.from(digest, 'hex').toString('base64');
      const ref = { digest, bytes: bytes.byteLength, mediaType };
      if (bytes.byteLength >= ASK_FROM_BYTES) {
        const present = await bucket.head(name);
        if (present?.bytes === bytes.byteLength && present.sha256 === sha256) return ref;
      }
      // A copy: the caller may reuse its buffer while a request is sent again.
      await bucket.put({ name, bytes: Buffer.from(bytes), mediaType, sha256 });
      return ref;
    },

    get: async ({ digest }) => {
      const name = `object ${digest}`;
      if (!isDigest(digest)) throw damagedArtifact({ name, problem: 'has no valid digest' });
      const found = await bucket.read(objectName(digest));
      if (found === undefined) throw damagedArtifact({ name, problem: `is missing in ${where}` });
      if (digestOf(found.bytes) !== digest) throw damagedArtifact({ name, problem: `is damaged in ${where}` });
      return found.bytes;
    },

    has: async ({ digest }) => isDigest(digest) && (await bucket.head(objectName(digest))) !== undefined,

    bind: async ({ kind, key, ref }) => {
      if (!(await store.has(ref))) {
        throw damagedArtifact({ name: `object ${ref.digest}`, problem: `is missing in ${where}` });
      }
      const name = nameOf('refs', { kind, key });
      if (await create({ name, text: canonicalJson(ref) })) return { ref, created: true };
      const present = await readRef(name);
      if (present === undefined) throw damagedArtifact({ name: `binding ${name}`, problem: 'was removed' });
      return { ref: present, created: false };
    },

    lookup: (name) => readRef(nameOf('refs', name)),

    appendLedger: async ({ key, line }) => {
      const text = ledgerRecord({ line, torn: false });
      const folder = `ledger/${keyFileName(key)}/`;
      for (;;) {
        // Behind the last line, so that the numbers have no gaps and their order is the order of writing.
        const last = (await bucket.list({ start: folder })).at(-1);
        const number = last === undefined ? 1 : Number(last.slice(folder.length)) + 1;
        if (await create({ name: folder + String(number).padStart(LINE_DIGITS, '0'), text })) return;
      }
    },

    readLedger: async ({ key }) => {
      const names = await bucket.list({ start: `ledger/${keyFileName(key)}/` });
      const lines: string[] = [];
      for (let first = 0; first < names.length; first += READERS) {
        const found = await Promise.all(names.slice(first, first + READERS).map((name) => bucket.read(name)));
        lines.push(...found.flatMap((object) => (object === undefined ? [] : [object.bytes.toString().slice(0, -1)])));
      }
      return lines;
    },

    createMarker: (name) => create({ name: nameOf('markers', name), text: '' }),
  };
  return store;
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Throws TG-E11 where a second conditional write of a name succeeds. Once a process; a marker stays in the bucket. */
async function checkConditions({ bucket, location }: { bucket: S3Bucket; location: S3Location }): Promise<void> {
  const write = () => bucket.create({ name: 'conditional-writes', bytes: Buffer.alloc(0), writer: 'check' });
  if ((await write()) && (await write())) throw unconditional({ location });
}
