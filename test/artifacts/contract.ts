import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/artifacts/content-key.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { getJson, getText, putJson, putText } from '../../src/artifacts/values.js';

/** What every implementation of {@link ArtifactStore} does; `open` gives a new empty store. */
export function describeArtifactStore({ name, open }: { name: string; open: () => Promise<ArtifactStore> }): void {
  describe(`the artifact store contract: ${name}`, () => {
    test('any bytes come back as they were put, under the digest of their content', async () => {
      const store = await open();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          const ref = await store.put({ bytes, mediaType: 'application/x' });
          expect(ref).toEqual({ digest: digestOf(bytes), bytes: bytes.length, mediaType: 'application/x' });
          expect(Buffer.from(await store.get(ref)).equals(bytes)).toBe(true);
        }),
        { numRuns: 30 },
      );
    });

    test('the caller may reuse its buffer, and may write into what it got', async () => {
      const store = await open();
      const bytes = Buffer.from('before');
      const ref = await store.put({ bytes, mediaType: 'text/plain' });
      bytes.fill('x');
      (await store.get(ref)).fill(0);
      expect(await getText({ store, ref })).toBe('before');
    });

    test('an unknown object is TG-R07, never an empty answer', async () => {
      const store = await open();
      const digest = digestOf('never put');
      expect(await store.has({ digest })).toBe(false);
      await expect(store.get({ digest })).rejects.toMatchObject({ code: 'TG-R07' });
      await expect(store.get({ digest: '../../etc/passwd' })).rejects.toMatchObject({ code: 'TG-R07' });
    });

    test('the first binding of a name wins, and names do not run into one another', async () => {
      const store = await open();
      const first = await putText({ store, text: 'first' });
      const second = await putText({ store, text: 'second' });
      const keys = ['a', 'A', 'a/b', '../a', 'a b', '', '.', 'ä', 'x'.repeat(400), `${'x'.repeat(400)}y`];
      for (const key of keys) {
        expect(await store.lookup({ kind: 'k', key })).toBeUndefined();
        expect(await store.bind({ kind: 'k', key, ref: first })).toEqual({ ref: first, created: true });
        expect(await store.bind({ kind: 'k', key, ref: second })).toEqual({ ref: first, created: false });
        expect(await store.lookup({ kind: 'k', key })).toEqual(first);
      }
      expect(await store.lookup({ kind: 'other', key: 'a' })).toBeUndefined();
    });

    test('a name is not bound to bytes that are not there', async () => {
      const store = await open();
      const ref = { digest: digestOf('absent'), bytes: 6, mediaType: 'text/plain' };
      await expect(store.bind({ kind: 'k', key: 'a', ref })).rejects.toMatchObject({ code: 'TG-R07' });
      expect(await store.lookup({ kind: 'k', key: 'a' })).toBeUndefined();
    });

    test('of many binders at one time exactly one creates, and all get its reference', async () => {
      const store = await open();
      const refs = await Promise.all([...'abcdefgh'].map((text) => putText({ store, text })));
      const bound = await Promise.all(refs.map((ref) => store.bind({ kind: 'k', key: 'race', ref })));
      expect(bound.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(bound.map(({ ref }) => ref.digest)).size).toBe(1);
    });

    test('a ledger keeps its lines in order and apart from other ledgers', async () => {
      const store = await open();
      expect(await store.readLedger({ key: 'run/1' })).toEqual([]);
      for (const line of ['{"a":1}', 'ünï', '']) await store.appendLedger({ key: 'run/1', line });
      await store.appendLedger({ key: 'run/2', line: 'other' });
      expect(await store.readLedger({ key: 'run/1' })).toEqual(['{"a":1}', 'ünï', '']);
      await expect(store.appendLedger({ key: 'run/1', line: 'a\nb' })).rejects.toThrow(TypeError);
    });

    test('a marker is made once', async () => {
      const store = await open();
      expect(await store.createMarker({ kind: 'turn', key: 'a' })).toBe(true);
      expect(await store.createMarker({ kind: 'turn', key: 'a' })).toBe(false);
      expect(await store.createMarker({ kind: 'turn', key: 'b' })).toBe(true);
    });

    test('equal values have equal digests, whatever the order of their properties', async () => {
      const store = await open();
      const left = await putJson({ store, value: { b: [1, { y: null, x: 'é' }], a: undefined } });
      const right = await putJson({ store, value: { b: [1, { x: 'é', y: null }] } });
      expect(right).toEqual(left);
      expect(await getJson({ store, ref: left })).toEqual({ b: [1, { x: 'é', y: null }] });
    });
  });
}
