import { digestOf } from './content-key.js';

/** Upper case is left out: two names that differ in case alone are one file on some file systems. */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,120}$/;

/** File name of a key: the key itself where that is safe on every file system, else `~` and its digest. */
export function keyFileName(key: string): string {
  return PLAIN.test(key) && !key.endsWith('.') ? key : `~${digestOf(key)}`;
}
