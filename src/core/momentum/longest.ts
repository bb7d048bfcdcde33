import { at } from './corpus.js';

/**
 * The patterns that are part of no other one, their items in this order with others between, the longest first. No two
 * patterns may be equal; items count from 0 and are fewer than `items`.
 *
 * For each item the patterns that hold it are kept as bits, so that a few operations leave the ones that hold all items
 * of a pattern, and only those are compared with it.
 */
export function withoutParts<T extends { readonly items: readonly number[] }>({
  patterns,
  items,
}: {
  readonly patterns: readonly T[];
  readonly items: number;
}): T[] {
  const words = (patterns.length + 31) >> 5;
  const holding = new Int32Array(items * words);
  const kept: T[] = [];
  for (const pattern of patterns.toSorted((one, other) => other.items.length - one.items.length)) {
    if (isPartOfOne({ items: pattern.items, kept, holding, words })) continue;
    const word = kept.length >> 5;
    const bit = 1 << (kept.length & 31);
    for (const item of pattern.items) holding[item * words + word] = at(holding, item * words + word) | bit;
    kept.push(pattern);
  }
  return kept;
}

function isPartOfOne({
  items,
  kept,
  holding,
  words,
}: {
  items: readonly number[];
  kept: readonly { readonly items: readonly number[] }[];
  holding: Int32Array;
  words: number;
}): boolean {
  const used = (kept.length + 31) >> 5;
  for (let word = 0; word < used; word += 1) {
    let left = -1;
    for (let index = 0; index < items.length && left !== 0; index += 1) {
      left &= at(holding, (items[index] as number) * words + word);
    }
    for (; left !== 0; left &= left - 1) {
      const whole = kept[word * 32 + 31 - Math.clz32(left & -left)];
      if (whole !== undefined && isPart({ part: items, whole: whole.items })) return true;
    }
  }
  return false;
}

/** True when all items of a list stand in another one, in their order. */
function isPart({ part, whole }: { part: readonly number[]; whole: readonly number[] }): boolean {
  if (part.length > whole.length) return false;
  let found = 0;
  for (let index = 0; index < whole.length && found < part.length; index += 1) {
    if (whole[index] === part[found]) found += 1;
  }
  return found === part.length;
}
