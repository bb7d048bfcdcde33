import type { FailedSuite, FailurePattern } from '../failure-memory.js';
import { tellsAlone, weightOf } from './telling.js';

/** A pattern as it is shown: with the part of it that still more failed updates share. */
export interface RetainedBlock {
  readonly pattern: FailurePattern;
  /** The largest pattern of higher support inside this one, and where it starts; null where there is none. */
  readonly core: { readonly block: RetainedBlock; readonly start: number } | null;
}

/**
 * The patterns worth showing, most telling first.
 *
 * A pattern is worth its support times the weights of its statements ({@link weightOf}; `focus` holds the names that the
 * issue and the changes are about); set-up at its ends is cut off, and what is nothing but set-up is left out. Order:
 * worth, support, first place in the newest update that holds the block, keys. Single statements say little, so they
 * are left out unless at least three updates and `minSupport` share them and they tell something alone
 * ({@link tellsAlone}), or nothing better is there. Of two nested
 * patterns only the one that comes first is listed; a core of higher support is named inside of it. At most `limit` are
 * returned.
 */
export function retainedBlocks({
  patterns,
  suites,
  minSupport,
  focus,
  limit,
}: {
  patterns: readonly FailurePattern[];
  suites: readonly FailedSuite[];
  minSupport: number;
  focus: ReadonlySet<string>;
  limit: number;
}): RetainedBlock[] {
  const cut = patterns.flatMap((pattern) => withoutSetUp({ pattern, focus }));
  const alone = cut.filter(({ texts }) => texts.length > 1 || tellsAlone({ text: texts[0] ?? '', focus }));
  const telling = alone.filter(({ texts, support }) => texts.length > 1 || support >= Math.max(3, minSupport));
  const wanted = [telling, alone, cut].find((some) => some.length > 0) ?? [];
  const ordered = inOrder({ patterns: wanted, suites, focus });
  const retained: FailurePattern[] = [];
  for (const pattern of ordered) {
    if (retained.length === limit) break;
    const isNested = retained.some(
      (other) => indexIn(other.keys, pattern.keys) >= 0 || indexIn(pattern.keys, other.keys) >= 0,
    );
    if (!isNested) retained.push(pattern);
  }
  return retained.map((pattern) => withCore({ pattern, ordered }));
}

/** The pattern from its first to its last telling statement; none where there is no such statement. */
function withoutSetUp({
  pattern: { keys, texts, support },
  focus,
}: {
  pattern: FailurePattern;
  focus: ReadonlySet<string>;
}): FailurePattern[] {
  const tells = texts.map((text) => weightOf({ text, focus }) > 0);
  const [from, to] = [tells.indexOf(true), tells.lastIndexOf(true) + 1];
  return from < 0 ? [] : [{ keys: keys.slice(from, to), texts: texts.slice(from, to), support }];
}

function withCore({
  pattern,
  ordered,
}: {
  pattern: FailurePattern;
  ordered: readonly FailurePattern[];
}): RetainedBlock {
  const core = ordered.find((other) => other.support > pattern.support && indexIn(pattern.keys, other.keys) >= 0);
  if (!core) return { pattern, core: null };
  return { pattern, core: { block: withCore({ pattern: core, ordered }), start: indexIn(pattern.keys, core.keys) } };
}

function inOrder({
  patterns,
  suites,
  focus,
}: {
  patterns: readonly FailurePattern[];
  suites: readonly FailedSuite[];
  focus: ReadonlySet<string>;
}): FailurePattern[] {
  const worth = new Map(
    patterns.map((pattern) => [
      pattern,
      pattern.support * pattern.texts.reduce((sum, text) => sum + weightOf({ text, focus }), 0),
    ]),
  );
  const places = new Map<FailurePattern, Place>();
  const placeOf = (pattern: FailurePattern): Place => {
    const place = places.get(pattern) ?? findNewest({ keys: pattern.keys, suites });
    places.set(pattern, place);
    return place;
  };
  return [...patterns].sort(
    (a, b) =>
      (worth.get(b) ?? 0) - (worth.get(a) ?? 0) ||
      b.support - a.support ||
      comparePlaces(placeOf(a), placeOf(b)) ||
      compareKeys(a.keys, b.keys),
  );
}

interface Place {
  readonly suite: number;
  readonly sequence: number;
  readonly start: number;
}

function findNewest({ keys, suites }: { keys: readonly string[]; suites: readonly FailedSuite[] }): Place {
  for (const [suite, { functions }] of [...suites.entries()].reverse()) {
    for (const [sequence, one] of functions.entries()) {
      const start = indexIn(one.keys, keys);
      if (start >= 0) return { suite, sequence, start };
    }
  }
  return { suite: -1, sequence: 0, start: 0 };
}

const comparePlaces = (a: Place, b: Place): number => b.suite - a.suite || a.sequence - b.sequence || a.start - b.start;

/** Not localeCompare: the order must be the same on every machine. */
function compareKeys(a: readonly string[], b: readonly string[]): number {
  const first = a.findIndex((key, index) => key !== b[index]);
  if (first === -1) return a.length - b.length;
  return (a[first] ?? '') < (b[first] ?? '') ? -1 : 1;
}

/** Where `part` first occurs in `whole` as a block of consecutive keys, or -1. */
function indexIn(whole: readonly string[], part: readonly string[]): number {
  for (let start = 0; start + part.length <= whole.length; start += 1) {
    if (part.every((key, offset) => whole[start + offset] === key)) return start;
  }
  return -1;
}
