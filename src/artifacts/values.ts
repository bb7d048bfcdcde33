import type { ArtifactRef } from '../core/artifact.js';
import { canonicalJson } from './canonical-json.js';
import type { ArtifactStore } from './store.js';

/** Keeps text as UTF-8; `mediaType` defaults to `text/plain`. */
export function putText({
  store,
  text,
  mediaType = 'text/plain',
}: {
  store: ArtifactStore;
  text: string;
  mediaType?: string;
}): Promise<ArtifactRef> {
  return store.put({ bytes: Buffer.from(text), mediaType });
}

/** An artifact as text. Bytes that are not UTF-8 come back as U+FFFD: where bytes matter, use `store.get`. */
export async function getText({
  store,
  ref,
}: {
  store: ArtifactStore;
  ref: { readonly digest: string };
}): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await store.get(ref));
}

/** Keeps a value as canonical JSON, `application/json`: equal values have equal digests. */
export function putJson({ store, value }: { store: ArtifactStore; value: unknown }): Promise<ArtifactRef> {
  return store.put({ bytes: Buffer.from(canonicalJson(value)), mediaType: 'application/json' });
}

/**
 * A value kept by {@link putJson}. `T` is the type that was put, which the `schema` field of stored values names;
 * the digest proves that these are the bytes we wrote, so nothing else is checked.
 */
export async function getJson<T>({
  store,
  ref,
}: {
  store: ArtifactStore;
  ref: { readonly digest: string };
}): Promise<T> {
  return JSON.parse(await getText({ store, ref })) as T;
}
