import { at } from './corpus.js';
import { hasBit } from './item-order.js';
import type { Projection, Sequences } from './projection.js';

/**
 * Notes for each gap of a pattern, in front of its items one by one, which items may stand there at all: those that
 * stand behind each item before and in front of each item after it in enough documents. Returns how many gaps there are
 * in front of the first one with such an item: as many as items where there is none.
 */
export function shutGaps({ sequences, pattern }: { sequences: Sequences; pattern: Projection }): number {
  const { gaps, order } = sequences;
  const { words, bitOf, after, before } = order;
  const { items } = pattern;
  const last = items.length - 1;
  if (pattern.shut === last) {
    gaps.fill(0, 0, last * words);
    for (let word = 0; word < words; word += 1) gaps[last * words + word] = at(pattern.between, pattern.set + word);
    return isShut(sequences, last) ? items.length : last;
  }
  for (let word = 0; word < words; word += 1) {
    let left = -1;
    for (let gap = items.length - 1; gap >= 0; gap -= 1) {
      left &= at(before, at(bitOf, items[gap] as number) * words + word);
      gaps[gap * words + word] = left;
    }
    left = -1;
    for (let gap = 0; gap < items.length; gap += 1) {
      gaps[gap * words + word] = at(gaps, gap * words + word) & left;
      left &= at(after, at(bitOf, items[gap] as number) * words + word);
    }
  }
  let shut = pattern.shut;
  while (shut <= last && isShut(sequences, shut)) shut += 1;
  return shut;
}

/** True when no item may stand in a gap, by what {@link shutGaps} noted last. */
function isShut({ gaps, order: { words } }: Sequences, gap: number): boolean {
  for (let word = gap * words; word < (gap + 1) * words; word += 1) if (at(gaps, word) !== 0) return false;
  return true;
}

/**
 * True when some item can be put in front of the prefix, or between two of its items, in every sequence that holds it,
 * whatever follows: then no maximal sequence starts with the prefix.
 *
 * Looks between the earliest place of the item before and the latest place, inside the earliest occurrence, of the item
 * behind (BackScan of Wang and Han, BIDE, 2004). Call {@link shutGaps} for the prefix first.
 */
export function hasCommonInsertion({ sequences, prefix }: { sequences: Sequences; prefix: Projection }): boolean {
  const { text, starts, earliest, latest } = sequences;
  const { items, members, ends, from, to } = prefix;
  let common: Common[] = [];
  for (let index = from; index < to; index += 1) {
    const start = at(starts, at(members, index));
    putEarliest({ text, items, start, into: earliest, offset: 0 });
    putLatest({ text, items, end: at(ends, index), into: latest, offset: 0 });
    if (index === from) {
      common = stretchesOf({ sequences, count: items.length, start });
    } else {
      common = common.filter((one) => keepCommon({ sequences, one, start }));
    }
    if (common.length === 0) return false;
  }
  return true;
}

/** Items that all sequences so far have in one gap: in front of the item with the gap's number. */
interface Common {
  readonly gap: number;
  items: number[];
}

function stretchesOf({ sequences, count, start }: { sequences: Sequences; count: number; start: number }): Common[] {
  const { text, earliest, latest, tally, gaps, order } = sequences;
  const found: Common[] = [];
  for (let gap = 0; gap < count; gap += 1) {
    if (isShut(sequences, gap)) continue;
    const items: number[] = [];
    const stamp = ++tally.mark;
    for (let place = gap === 0 ? start : at(earliest, gap - 1) + 1; place < at(latest, gap); place += 1) {
      const item = at(text, place);
      if (tally.sequenceMark[item] === stamp || !hasBit(gaps, gap * order.words, at(order.bitOf, item))) continue;
      items.push(item);
      tally.sequenceMark[item] = stamp;
    }
    if (items.length > 0) found.push({ gap, items });
  }
  return found;
}

/** Leaves the items that stand in this sequence's stretch as well; true when there are some. */
function keepCommon({ sequences, one, start }: { sequences: Sequences; one: Common; start: number }): boolean {
  const { text, earliest, latest, tally } = sequences;
  const stamp = ++tally.mark;
  for (let place = one.gap === 0 ? start : at(earliest, one.gap - 1) + 1; place < at(latest, one.gap); place += 1) {
    tally.sequenceMark[at(text, place)] = stamp;
  }
  one.items = one.items.filter((item) => tally.sequenceMark[item] === stamp);
  return one.items.length > 0;
}

/**
 * True when no item can be put in front of a pattern or between two of its items in `minSupport` documents. Call
 * {@link shutGaps} for the pattern first.
 */
export function admitsNoInsertion({
  sequences,
  pattern,
  minSupport,
}: {
  sequences: Sequences;
  pattern: Projection;
  minSupport: number;
}): boolean {
  const { text, starts, earliest, latest } = sequences;
  const { items, members, from } = pattern;
  let placed = from;
  const placeUpTo = (index: number): void => {
    for (; placed <= index; placed += 1) {
      const member = at(members, placed);
      const offset = (placed - from) * items.length;
      putEarliest({ text, items, start: at(starts, member), into: earliest, offset });
      putLatest({ text, items, end: at(starts, member + 1) - 1, into: latest, offset });
    }
  };
  for (let gap = 0; gap < items.length; gap += 1) {
    if (!isShut(sequences, gap) && someItemFits({ sequences, pattern, gap, minSupport, placeUpTo })) return false;
  }
  return true;
}

/** True when one item stands in this gap of the pattern in at least `minSupport` documents. */
function someItemFits({
  sequences: { text, starts, documentOf, earliest, latest, tally, gaps, order },
  pattern: { items, support, members, from, to },
  gap,
  minSupport,
  placeUpTo,
}: {
  sequences: Sequences;
  pattern: Projection;
  gap: number;
  minSupport: number;
  /** Notes where the items stand in the sequences up to this index. */
  placeUpTo: (index: number) => void;
}): boolean {
  const { inDocuments, documentMark } = tally;
  const { bitOf } = order;
  const set = gap * order.words;
  const seen: number[] = [];
  // The most that one item has, and the documents that are still to come: together they must reach the minimum.
  let [most, left, document, stamp] = [0, support, -1, 0];
  for (let index = from; index < to && most < minSupport; index += 1) {
    const member = at(members, index);
    if (at(documentOf, member) !== document) {
      if (most + left < minSupport) break;
      document = at(documentOf, member);
      stamp = ++tally.mark;
      left -= 1;
    }
    placeUpTo(index);
    const offset = (index - from) * items.length + gap;
    const first = gap === 0 ? at(starts, member) : at(earliest, offset - 1) + 1;
    for (let place = first; place < at(latest, offset); place += 1) {
      const item = at(text, place);
      if (documentMark[item] === stamp || !hasBit(gaps, set, at(bitOf, item))) continue;
      documentMark[item] = stamp;
      if (inDocuments[item] === 0) seen.push(item);
      const count = at(inDocuments, item) + 1;
      inDocuments[item] = count;
      if (count > most) most = count;
    }
  }
  for (const item of seen) inDocuments[item] = 0;
  return most >= minSupport;
}

/** Where the items of a pattern stand, and into which column from which index on to write it. */
interface Placing {
  readonly text: Int32Array;
  readonly items: readonly number[];
  readonly into: Int32Array;
  readonly offset: number;
}

/** Each item as early as possible from `start` on. */
function putEarliest({ text, items, start, into, offset }: Placing & { readonly start: number }): void {
  for (let index = 0, place = start; index < items.length; place += 1) {
    if (text[place] === items[index]) into[offset + index++] = place;
  }
}

/** Each item as late as possible, the last one no later than `end`. */
function putLatest({ text, items, end, into, offset }: Placing & { readonly end: number }): void {
  for (let index = items.length - 1, place = end; index >= 0; place -= 1) {
    if (text[place] === items[index]) into[offset + index--] = place;
  }
}
