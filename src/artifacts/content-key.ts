import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** Lower-case hexadecimal SHA-256 of bytes, or of a string's UTF-8 bytes. */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Key of something that is determined by `parts` alone: SHA-256 over their canonical JSON.
 *
 * Neither the order of properties nor properties that are undefined change it. Values as for {@link canonicalJson}.
 */
export function contentKey(parts: Readonly<Record<string, unknown>>): string {
  return digestOf(canonicalJson(parts));
}
