import { at } from './corpus.js';
import { hasBit } from './item-order.js';
import type { Growth, Projection, Sequences } from './projection.js';

interface Counting {
  readonly sequences: Sequences;
  readonly prefix: Projection;
  readonly minSupport: number;
}

interface Counted {
  readonly seen: number[];
  readonly hits: number;
}

/**
 * Counts the items behind the prefix and returns them; gives up where none can reach `minSupport` any more. `hits` is the
 * number of places where one of them stands first in its sequence, which are noted in `earliest`.
 */
export function countFollowing({ sequences, prefix, minSupport }: Counting): Counted {
  markFollowers({ sequences, prefix });
  return countMarked({ sequences, prefix, minSupport });
}

/** Marks the items that may follow with a new mark. */
function markFollowers({
  sequences: { order, given, tally },
  prefix: { followers, set },
}: {
  sequences: Sequences;
  prefix: Projection;
}): void {
  const { words, bitOf, isExact } = order;
  const mark = ++tally.mark;
  if (!isExact) {
    for (let item = 0; item < given.length; item += 1) {
      if (hasBit(followers, set, at(bitOf, item))) tally.followMark[item] = mark;
    }
    return;
  }
  for (let word = 0; word < words; word += 1) {
    for (let left = at(followers, set + word); left !== 0; left &= left - 1) {
      const item = word * 32 + 31 - Math.clz32(left & -left);
      if (item < given.length) tally.followMark[item] = mark;
    }
  }
}

function countMarked({ sequences, prefix, minSupport }: Counting): Counted {
  const { text, starts, documentOf, tally, earliest } = sequences;
  const { inSequences, inDocuments, followMark, documentMark } = tally;
  const seen: number[] = [];
  const marked = tally.mark;
  // The most that one item has, and the documents that are still to come.
  let [most, left, document, documentStamp, hits] = [0, prefix.support, -1, 0, 0];
  for (let index = prefix.from; index < prefix.to; index += 1) {
    const member = at(prefix.members, index);
    const stamp = ++tally.mark;
    if (at(documentOf, member) !== document) {
      if (most + left < minSupport) return { seen, hits };
      document = at(documentOf, member);
      documentStamp = stamp;
      left -= 1;
    }
    const end = at(starts, member + 1);
    let open = prefix.followerCount;
    for (let place = at(prefix.ends, index) + 1; place < end && open > 0; place += 1) {
      const item = at(text, place);
      const mark = at(followMark, item);
      if (mark < marked || mark === stamp) continue;
      followMark[item] = stamp;
      earliest[hits++] = place;
      open -= 1;
      if (inSequences[item] === 0) seen.push(item);
      inSequences[item] = at(inSequences, item) + 1;
      if (at(documentMark, item) >= documentStamp) continue;
      documentMark[item] = documentStamp;
      const count = at(inDocuments, item) + 1;
      inDocuments[item] = count;
      if (count > most) most = count;
    }
  }
  return { seen, hits };
}

/** Notes the first place of each grown prefix's last item in each sequence, as they were met in counting. */
export function fill({
  sequences,
  prefix,
  grown,
  hits,
}: {
  sequences: Sequences;
  prefix: Projection;
  grown: readonly Growth[];
  hits: number;
}): void {
  const { text, starts, tally, earliest } = sequences;
  const { inSequences: next } = tally;
  const { members, ends } = grown[0] ?? prefix;
  // One more than the index to write to, so that 0 says that the item is not among them.
  for (const { item, from } of grown) next[item] = from + 1;
  let index = prefix.from;
  for (let hit = 0; hit < hits; hit += 1) {
    const place = at(earliest, hit);
    while (place >= at(starts, at(prefix.members, index) + 1)) index += 1;
    const item = at(text, place);
    const free = at(next, item);
    if (free === 0) continue;
    members[free - 1] = at(prefix.members, index);
    ends[free - 1] = place;
    next[item] = free + 1;
  }
  for (const { item } of grown) next[item] = 0;
}
