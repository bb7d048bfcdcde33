import { at } from './corpus.js';

/** Sets of items have a bit for each item, and no more than this: items share bits where there are more. */
const MAX_BITS = 1024;

/**
 * Sets of items one behind the other: bits, 32 to a word, each set as many words. An item's bit may stand for other
 * items too.
 */
export type ItemSets = Int32Array;

/**
 * Which items stand in front of which in enough documents: an upper bound for what a pattern can hold, as each two of
 * its items do (the co-occurrence maps of Fournier-Viger et al., CM-SPAM and VMSP, 2014).
 */
export interface ItemOrder {
  /** The bit of each item. */
  readonly bitOf: Int32Array;
  readonly words: number;
  /** True when each item has a bit of its own. */
  readonly isExact: boolean;
  /** By bit: the items that may follow. */
  readonly after: ItemSets;
  /** By bit: the items that may precede. */
  readonly before: ItemSets;
}

/** True when the set that starts at word `from` has a bit. */
export const hasBit = (sets: ItemSets, from: number, bit: number): boolean =>
  ((at(sets, from + (bit >> 5)) >>> (bit & 31)) & 1) === 1;

/** Adds a bit to the set that starts at word `from`. */
export function addBit(sets: ItemSets, from: number, bit: number): void {
  const word = from + (bit >> 5);
  sets[word] = at(sets, word) | (1 << (bit & 31));
}

/** The number of bits in a set. */
export function bitsIn({ sets, from, words }: { sets: ItemSets; from: number; words: number }): number {
  let count = 0;
  for (let word = from; word < from + words; word += 1) {
    for (let left = at(sets, word); left !== 0; left &= left - 1) count += 1;
  }
  return count;
}

/** Reads the order of each two items out of a text of sequences; items count from 0. */
export function itemOrderOf({
  text,
  starts,
  documentOf,
  items,
  minSupport,
}: {
  readonly text: Int32Array;
  readonly starts: Int32Array;
  readonly documentOf: Int32Array;
  /** Number of items. */
  readonly items: number;
  readonly minSupport: number;
}): ItemOrder {
  const bits = Math.min(items, MAX_BITS);
  const words = (bits + 31) >> 5;
  const bitOf = Int32Array.from({ length: items }, (_, item) => item % MAX_BITS);
  const supports = pairSupports({ text, starts, documentOf, bitOf, bits });
  const after = new Int32Array(bits * words);
  const before = new Int32Array(bits * words);
  for (let front = 0; front < bits; front += 1) {
    for (let back = 0; back < bits; back += 1) {
      if (at(supports, front * bits + back) < minSupport) continue;
      addBit(after, front * words, back);
      addBit(before, back * words, front);
    }
  }
  return { bitOf, words, isExact: items === bits, after, before };
}

/** The number of documents in which an item of one bit stands in front of one of another, by both bits. */
function pairSupports({
  text,
  starts,
  documentOf,
  bitOf,
  bits,
}: {
  text: Int32Array;
  starts: Int32Array;
  documentOf: Int32Array;
  bitOf: Int32Array;
  bits: number;
}): Int32Array {
  const supports = new Int32Array(bits * bits);
  // One more than the document, so that 0 is none.
  const lastDocument = new Int32Array(bits * bits);
  const last = new Int32Array(bits);
  const seen = new Int32Array(bits);
  const distinct = new Int32Array(bits);
  for (let sequence = 0; sequence + 1 < starts.length; sequence += 1) {
    const document = at(documentOf, sequence) + 1;
    const [from, to] = [at(starts, sequence), at(starts, sequence + 1)];
    for (let place = from; place < to; place += 1) last[at(bitOf, at(text, place))] = place;
    let count = 0;
    for (let place = from; place < to; place += 1) {
      const front = at(bitOf, at(text, place));
      if (seen[front] !== sequence + 1) distinct[count++] = front;
      else continue;
      seen[front] = sequence + 1;
    }
    // An item stands in front of all whose last place is behind its first one.
    let first = from;
    for (let index = 0; index < count; index += 1) {
      const front = at(distinct, index);
      while (at(bitOf, at(text, first)) !== front) first += 1;
      for (let other = 0; other < count; other += 1) {
        const back = at(distinct, other);
        const pair = front * bits + back;
        if (at(last, back) <= first || lastDocument[pair] === document) continue;
        lastDocument[pair] = document;
        supports[pair] = at(supports, pair) + 1;
      }
    }
  }
  return supports;
}
