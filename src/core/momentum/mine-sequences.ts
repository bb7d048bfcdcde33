import { comparePatterns, type Pattern } from './canonical-order.js';
import type { Documents } from './corpus.js';
import { admitsNoInsertion, hasCommonInsertion, shutGaps } from './insertions.js';
import { withoutParts } from './longest.js';
import { emptyPrefix, frequentSequences, growths, type Projection } from './projection.js';

/** Prefixes that are grown at most: from a tenth of a second to some seconds, by the length of the suites. */
const MAX_NODES = 100_000;

/** Sixteen megabytes. */
const MAX_PLACES = 2_000_000;
/** Items times patterns that are compared at most, a bit each. */
const MAX_BITS = 100_000_000;

/**
 * The maximal frequent sequences in canonical order: items that stand in this order inside one sequence, others allowed
 * between them, in at least `minSupport` documents, and that are part of no longer such sequence.
 *
 * Their number may grow exponentially with the length of documents that are alike, so the search ends after `maxNodes`
 * grown prefixes. `complete` tells whether it got through; where it did not, every answer still is a maximal frequent
 * sequence, but not all are there. The same documents give the same answer, complete or not.
 *
 * Depth first over prefixes with the places where they end (Pei et al., PrefixSpan, 2001), pruned where an item can be
 * put into a prefix at no loss (Wang and Han, BIDE, 2004). Of what cannot be grown, the longest are answered: what is part
 * of no other. Where the search ended early, or there is too much to keep, those that nowhere an item can be put into
 * without losing the support.
 */
export function mineSequences({
  documents,
  minSupport,
  maxNodes = MAX_NODES,
  maxPlaces = MAX_PLACES,
}: {
  documents: Documents;
  minSupport: number;
  maxNodes?: number;
  /** Places of patterns that are kept to be compared at the end; bounds the memory, not the answer. */
  maxPlaces?: number;
}): { patterns: Pattern[]; complete: boolean } {
  const sequences = frequentSequences({ documents, minSupport });
  const isMaximal = (pattern: Projection): boolean =>
    shutGaps({ sequences, pattern }) === pattern.items.length || admitsNoInsertion({ sequences, pattern, minSupport });
  const found: Projection[] = [];
  const open: Projection[] = growths({ sequences, minSupport, prefix: emptyPrefix(sequences), shut: 0 }).reverse();
  /** Those among the found that are not known to be maximal. */
  const unsure: Projection[] = [];
  const columns = new Set<Int32Array>();
  let [nodes, places] = [0, 0];
  let prefix = open.pop();
  for (; prefix !== undefined && nodes < maxNodes; prefix = open.pop()) {
    nodes += 1;
    const shut = shutGaps({ sequences, pattern: prefix });
    if (shut < prefix.items.length && hasCommonInsertion({ sequences, prefix })) continue;
    const longer = growths({ sequences, minSupport, prefix, shut });
    open.push(...longer.reverse());
    if (longer.length > 0) continue;
    if (places < maxPlaces) {
      places += columns.has(prefix.members) ? 0 : prefix.members.length;
      columns.add(prefix.members);
      unsure.push(prefix);
    } else if (isMaximal(prefix)) {
      found.push(prefix);
    }
  }
  const complete = prefix === undefined;
  const items = sequences.given.length;
  const all = [...found, ...unsure];
  const isComparable = complete && items * all.length <= MAX_BITS;
  const maximal = isComparable ? withoutParts({ patterns: all, items }) : [...found, ...unsure.filter(isMaximal)];
  const patterns = maximal.map(({ items: own, support }) => ({
    items: own.map((item) => sequences.given[item] ?? item),
    support,
  }));
  return { patterns: patterns.sort(comparePatterns), complete };
}
