import { at, corpusOf, type Documents } from './corpus.js';
import { countFollowing, fill } from './followers.js';
import { addBit, bitsIn, type ItemOrder, type ItemSets, itemOrderOf } from './item-order.js';

/** Sequences without the items that too few documents hold, which can stand in no frequent pattern. */
export interface Sequences {
  /** Items by their place among those that are left. */
  readonly text: Int32Array;
  /** The items as they were given, rising. */
  readonly given: readonly number[];
  readonly order: ItemOrder;
  /** Where each sequence starts in the text; one entry more at the end. */
  readonly starts: Int32Array;
  readonly documentOf: Int32Array;
  readonly documents: number;
  /** Columns by item, to count with. */
  readonly tally: Tally;
  /** Columns as long as the text, to note in where the items of one pattern stand. */
  readonly earliest: Int32Array;
  readonly latest: Int32Array;
  /** A set of items for each gap of one pattern. */
  readonly gaps: ItemSets;
}

/** A prefix of patterns with where it ends, at the earliest, in each sequence that holds it. */
export interface Projection {
  readonly items: readonly number[];
  /** Number of documents that hold it. */
  readonly support: number;
  /** The sequences that hold it, rising, at the indexes `from` up to `to`: prefixes of the same length share columns. */
  readonly members: Int32Array;
  /** Index of its last item in the text, likewise. */
  readonly ends: Int32Array;
  readonly from: number;
  readonly to: number;
  /** The items that may follow: a set that starts at word `set`, and how many they are at most. */
  readonly followers: ItemSets;
  readonly set: number;
  readonly followerCount: number;
  /** The items that may stand in front of its last one and behind the others, likewise at word `set`. */
  readonly between: ItemSets;
  /** How many of the gaps in front of its items are known to stay empty, from the first one on. */
  readonly shut: number;
}

/** What a prefix grows to by one item. */
export interface Growth extends Pick<Projection, 'support' | 'members' | 'ends' | 'from' | 'to'> {
  readonly item: number;
}

/** Counts items in sequences and in documents, each once; the columns are zero between uses. */
export interface Tally {
  readonly inSequences: Int32Array;
  readonly inDocuments: Int32Array;
  readonly sequenceMark: Int32Array;
  /** Of the items that are counted, from a mark on. */
  readonly followMark: Int32Array;
  readonly documentMark: Int32Array;
  /** Never used twice. */
  mark: number;
}

/** Drops the items of fewer than `minSupport` documents. */
export function frequentSequences({ documents, minSupport }: { documents: Documents; minSupport: number }): Sequences {
  const { supports } = corpusOf({ documents });
  const given: number[] = [];
  const itemOf = supports.map((support, item) => (support < minSupport ? -1 : given.push(item) - 1));
  const kept = documents.flatMap((sequences, document) =>
    sequences.map((sequence) => {
      const items: number[] = [];
      for (const one of sequence) if (at(itemOf, one) >= 0) items.push(at(itemOf, one));
      return { document, items };
    }),
  );
  const starts = new Int32Array(kept.length + 1);
  kept.forEach(({ items }, index) => {
    starts[index + 1] = at(starts, index) + items.length;
  });
  const text = new Int32Array(at(starts, kept.length));
  kept.forEach(({ items }, index) => {
    text.set(items, at(starts, index));
  });
  const column = () => new Int32Array(given.length);
  const documentOf = Int32Array.from(kept, ({ document }) => document);
  const order = itemOrderOf({ text, starts, documentOf, items: given.length, minSupport });
  const longest = kept.reduce((most, { items }) => Math.max(most, items.length), 0);
  return {
    text,
    given,
    order,
    starts,
    documentOf,
    documents: documents.length,
    tally: {
      inSequences: column(),
      inDocuments: column(),
      sequenceMark: column(),
      followMark: column(),
      documentMark: column(),
      mark: 0,
    },
    earliest: new Int32Array(text.length),
    latest: new Int32Array(text.length),
    gaps: new Int32Array((longest + 1) * order.words),
  };
}

/** The empty prefix. */
export function emptyPrefix({ starts, documentOf, documents, given, order }: Sequences): Projection {
  const followers = new Int32Array(order.words).fill(-1);
  const members = Int32Array.from(documentOf, (_, index) => index);
  const ends = members.map((member) => at(starts, member) - 1);
  const empty = { items: [], support: documents, members, ends, from: 0, to: members.length };
  return { ...empty, followers, set: 0, followerCount: given.length, between: followers, shut: 0 };
}

/**
 * The prefix with each item that may follow in at least `minSupport` documents, items rising.
 *
 * Left out are items in front of which another one stands in all their sequences: that other item can be put in between
 * at no loss, so that no maximal sequence goes on with them.
 */
export function growths({
  sequences,
  prefix,
  minSupport,
  shut,
}: {
  sequences: Sequences;
  prefix: Projection;
  minSupport: number;
  /** How many gaps of the prefix are known to stay empty. */
  shut: number;
}): Projection[] {
  // Nothing that did not follow often enough a part of the prefix can follow the prefix.
  if (prefix.followerCount === 0) return [];
  const { inSequences, inDocuments } = sequences.tally;
  const { seen, hits } = countFollowing({ sequences, prefix, minSupport });
  const frequent: number[] = [];
  let size = 0;
  for (const item of seen) {
    if (at(inDocuments, item) < minSupport) continue;
    frequent.push(item);
    size += at(inSequences, item);
  }
  const members = new Int32Array(size);
  const ends = new Int32Array(size);
  const grown: Growth[] = [];
  let to = 0;
  for (const item of frequent.sort((a, b) => a - b)) {
    const from = to;
    to += at(inSequences, item);
    grown.push({ item, support: at(inDocuments, item), members, ends, from, to });
  }
  for (const item of seen) {
    inSequences[item] = 0;
    inDocuments[item] = 0;
  }
  if (grown.length === 0) return [];
  fill({ sequences, prefix, grown, hits });
  // Only what is left gets lists of its own: equal documents have as many candidates as they are long.
  return withFollowers({ sequences, prefix, grown, kept: withoutPreceded({ prefix, grown }), shut });
}

/** Each kept growth as a prefix of its own; what follows it is among the items that follow the prefix as well. */
function withFollowers({
  sequences: { order },
  prefix,
  grown,
  kept,
  shut,
}: {
  sequences: Sequences;
  prefix: Projection;
  grown: readonly Growth[];
  kept: readonly Growth[];
  shut: number;
}): Projection[] {
  const { words, bitOf, after, before, isExact } = order;
  const frequent = new Int32Array(words);
  for (const { item } of grown) addBit(frequent, 0, at(bitOf, item));
  const followers = new Int32Array(kept.length * words);
  const between = new Int32Array(kept.length * words);
  return kept.map(({ item, support, members, ends, from, to }, index) => {
    const set = index * words;
    const own = at(bitOf, item) * words;
    for (let word = 0; word < words; word += 1) {
      followers[set + word] = at(frequent, word) & at(after, own + word);
      between[set + word] = at(frequent, word) & at(before, own + word);
    }
    const count = bitsIn({ sets: followers, from: set, words });
    const followerCount = isExact || count === 0 ? count : Number.POSITIVE_INFINITY;
    const items = [...prefix.items, item];
    return { items, support, members, ends, from, to, followers, set, followerCount, between, shut };
  });
}

function withoutPreceded({ prefix, grown }: { prefix: Projection; grown: readonly Growth[] }): readonly Growth[] {
  let first: Growth | undefined;
  for (const one of grown) {
    if (one.to - one.from < prefix.to - prefix.from) continue;
    if (first === undefined || at(one.ends, one.from) < at(first.ends, first.from)) first = one;
  }
  return first === undefined ? grown : grown.filter((one) => one === first || !precedes(first, one));
}

/** True when `first`, which stands in every sequence of `other`, ends in front of it in all of them. */
function precedes(first: Growth, other: Growth): boolean {
  let own = first.from;
  for (let index = other.from; index < other.to; index += 1) {
    while (at(first.members, own) !== at(other.members, index)) own += 1;
    if (at(first.ends, own) >= at(other.ends, index)) return false;
  }
  return true;
}
