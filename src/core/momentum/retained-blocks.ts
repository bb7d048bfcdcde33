import type { FailedSuite, FailurePattern } from '../failure-memory.js';

/** A pattern as it is shown: with the part of it that still more failed updates share. */
export interface RetainedBlock {
  readonly pattern: FailurePattern;
  /** The largest pattern of higher support inside this one, and where it starts; null where there is none. */
  readonly core: { readonly block: RetainedBlock; readonly start: number } | null;
}

/**
 * The patterns worth showing, most important first.
 *
 * Order: area (support × length), support, first place in the newest update that holds the block, keys. Single
 * statements say little, so they are left out unless at least three updates and `minSupport` share them, or nothing
 * longer is there. Of two nested patterns only the one that comes first is listed; a core of higher support is named
 * inside of it. At most `limit` are returned.
 */
export function retainedBlocks({
  patterns,
  suites,
  minSupport,
  limit,
}: {
  patterns: readonly FailurePattern[];
  suites: readonly FailedSuite[];
  minSupport: number;
  limit: number;
}): RetainedBlock[] {
  const telling = patterns.filter((pattern) => pattern.keys.length > 1 || pattern.support >= Math.max(3, minSupport));
  const ordered = inOrder({ patterns: telling.length > 0 ? telling : patterns, suites });
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
}: {
  patterns: readonly FailurePattern[];
  suites: readonly FailedSuite[];
}): FailurePattern[] {
  const places = new Map<FailurePattern, Place>();
  const placeOf = (pattern: FailurePattern): Place => {
    const place = places.get(pattern) ?? findNewest({ keys: pattern.keys, suites });
    places.set(pattern, place);
    return place;
  };
  return [...patterns].sort(
    (a, b) =>
      b.support * b.keys.length - a.support * a.keys.length ||
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
