import type { ArtifactRef } from '../core/artifact.js';
import { digestOf } from './content-key.js';
import { ledgerLines, ledgerRecord } from './ledger-lines.js';
import type { ArtifactStore, StoreKey } from './store.js';
import { damagedArtifact } from './store-errors.js';

/** A store in this process's memory, gone with it; the same behaviour as the file store. */
export function createMemoryStore(): ArtifactStore {
  const objects = new Map<string, Uint8Array>();
  const refs = new Map<string, ArtifactRef>();
  const ledgers = new Map<string, string>();
  const markers = new Set<string>();
  const nameOf = ({ kind, key }: StoreKey) => JSON.stringify([kind, key]);

  return {
    async put({ bytes, mediaType }) {
      const digest = digestOf(bytes);
      objects.set(digest, Uint8Array.from(bytes));
      return { digest, bytes: bytes.byteLength, mediaType };
    },

    async get({ digest }) {
      const bytes = objects.get(digest);
      if (bytes === undefined) throw missing(digest);
      return Uint8Array.from(bytes);
    },

    async has({ digest }) {
      return objects.has(digest);
    },

    async bind({ kind, key, ref }) {
      if (!objects.has(ref.digest)) throw missing(ref.digest);
      const name = nameOf({ kind, key });
      const present = refs.get(name);
      if (present !== undefined) return { ref: present, created: false };
      refs.set(name, ref);
      return { ref, created: true };
    },

    async lookup(name) {
      return refs.get(nameOf(name));
    },

    async appendLedger({ key, line }) {
      ledgers.set(key, (ledgers.get(key) ?? '') + ledgerRecord({ line, torn: false }));
    },

    async readLedger({ key }) {
      return ledgerLines(ledgers.get(key) ?? '');
    },

    async createMarker(name) {
      const key = nameOf(name);
      if (markers.has(key)) return false;
      markers.add(key);
      return true;
    },
  };
}

function missing(digest: string) {
  return damagedArtifact({ name: `object ${digest}`, problem: 'is missing in memory' });
}
