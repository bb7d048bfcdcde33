/** A set of items, rising; what happens at one time. */
export type Element = readonly number[];

/** A sequence of sets of items with the number of documents that hold it. */
export interface ElementPattern {
  readonly elements: readonly Element[];
  readonly support: number;
}

/** Patterns that are grown at most. */
const MAX_NODES = 100_000;

interface Prefix {
  readonly elements: readonly Element[];
  /** Indexes of the elements where an occurrence ends, by sequence; only sequences with one. */
  readonly ends: ReadonlyMap<number, readonly number[]>;
  readonly support: number;
}

/**
 * The maximal frequent sequences of sets, as the textbooks define them (Agrawal and Srikant, "Mining sequential patterns",
 * 1995): each set of the pattern is part of an element of the sequence, in this order, with at most `maxGap` elements
 * between two of them. Maximal is what lies in no other frequent one, by parts of elements in their order whatever the
 * gap. Order: support falling, number of items falling, items rising.
 *
 * Lists all frequent sequences first, `maxNodes` at most: for definitions and comparison, not for long suites. Where it
 * did not get through, `complete` is false and the answers are those that are maximal among what it found.
 */
export function mineElements({
  documents,
  minSupport,
  maxGap = Number.POSITIVE_INFINITY,
  maxNodes = MAX_NODES,
}: {
  documents: readonly (readonly (readonly Element[])[])[];
  minSupport: number;
  maxGap?: number;
  maxNodes?: number;
}): { patterns: ElementPattern[]; complete: boolean } {
  const sequences = documents.flat();
  const documentOf = documents.flatMap((all, document) => all.map(() => document));
  const open = grow({ sequences, documentOf, minSupport, maxGap, prefix: null });
  const frequent: Prefix[] = [];
  for (let prefix = open.pop(); prefix !== undefined && frequent.length < maxNodes; prefix = open.pop()) {
    frequent.push(prefix);
    open.push(...grow({ sequences, documentOf, minSupport, maxGap, prefix }));
  }
  frequent.sort((a, b) => sizeOf(b.elements) - sizeOf(a.elements));
  const maximal: Prefix[] = [];
  for (const one of frequent) {
    if (!maximal.some(({ elements }) => isPart(one.elements, elements))) maximal.push(one);
  }
  const patterns = maximal.map(({ elements, support }) => ({ elements, support })).sort(compareElementPatterns);
  return { patterns, complete: open.length === 0 };
}

/** All frequent patterns with one item more: in an element of its own, or in the last one behind its items. */
function grow({
  sequences,
  documentOf,
  minSupport,
  maxGap,
  prefix,
}: {
  sequences: readonly (readonly Element[])[];
  documentOf: readonly number[];
  minSupport: number;
  maxGap: number;
  prefix: Prefix | null;
}): Prefix[] {
  const found = new Map<string, { elements: readonly Element[]; ends: Map<number, number[]> }>();
  const note = (kind: 'own' | 'same', item: number, sequence: number, end: number): void => {
    const key = `${kind} ${item}`;
    const before = prefix?.elements ?? [];
    const elements = kind === 'own' ? [...before, [item]] : [...before.slice(0, -1), [...(before.at(-1) ?? []), item]];
    const one = found.get(key) ?? { elements, ends: new Map<number, number[]>() };
    const ends = one.ends.get(sequence) ?? [];
    if (!ends.includes(end)) one.ends.set(sequence, [...ends, end]);
    found.set(key, one);
  };
  sequences.forEach((sequence, index) => {
    const ends = prefix === null ? [-1] : (prefix.ends.get(index) ?? []);
    for (const end of ends) {
      const last = prefix === null ? sequence.length : end + 2 + maxGap;
      for (let place = end + 1; place < Math.min(last, sequence.length); place += 1) {
        for (const item of sequence[place] ?? []) note('own', item, index, place);
      }
      const highest = prefix?.elements.at(-1)?.at(-1) ?? Number.POSITIVE_INFINITY;
      for (const item of sequence[end] ?? []) if (item > highest) note('same', item, index, end);
    }
  });
  return [...found.values()]
    .map(({ elements, ends }) => ({
      elements,
      ends,
      support: new Set([...ends.keys()].map((sequence) => documentOf[sequence])).size,
    }))
    .filter(({ support }) => support >= minSupport);
}

/** True when the elements of a pattern are parts of elements of another one, in their order. */
function isPart(part: readonly Element[], whole: readonly Element[]): boolean {
  let matched = 0;
  for (const element of whole) {
    if (part[matched]?.every((item) => element.includes(item))) matched += 1;
  }
  return matched === part.length;
}

const sizeOf = (elements: readonly Element[]): number => elements.reduce((sum, { length }) => sum + length, 0);

function compareElementPatterns(a: ElementPattern, b: ElementPattern): number {
  return b.support - a.support || sizeOf(b.elements) - sizeOf(a.elements) || compareLists(a.elements, b.elements);
}

/** Lists by their first difference, the shorter one first where there is none. */
function compareLists(a: readonly Element[], b: readonly Element[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [left, right] = [a[index] ?? [], b[index] ?? []];
    const place = left.findIndex((item, at) => item !== right[at]);
    const difference = place < 0 ? left.length - right.length : (left[place] ?? 0) - (right[place] ?? -1);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
