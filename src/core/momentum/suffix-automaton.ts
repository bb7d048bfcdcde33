/** A sequence of items; a document is a list of them, and no block reaches across two. */
export type Sequence = readonly number[];

/** Where a block ends for the first time in the newest document that holds it. */
export interface BlockEnd {
  readonly document: number;
  readonly sequence: number;
  /** Index of its last item in the sequence. */
  readonly index: number;
}

/** One class of blocks that end at the same places; `length` is that of the longest of them. */
export interface State {
  length: number;
  /** Index of the state that holds the longest suffix which ends at more places; -1 at the root. */
  link: number;
  /** State reached by one more item behind. */
  readonly next: Map<number, number>;
  /** Number of documents that hold its blocks. */
  support: number;
  end: BlockEnd | null;
}

/**
 * The suffix automaton of several documents, with the support of every state. State 0 is the root (the empty block).
 *
 * Time and space grow linearly with the number of items to build it; counting support is linear in practice. Source:
 * Blumer et al., "The smallest automaton recognizing the subwords of a text" (1985), generalised to several sequences
 * by starting at the root for each.
 */
export function buildAutomaton({ documents }: { documents: readonly (readonly Sequence[])[] }): State[] {
  const states: State[] = [];
  addState({ states, length: 0, link: -1, next: new Map() });
  for (const sequence of documents.flat()) {
    let last = 0;
    for (const item of sequence) last = extend({ states, last, item });
  }
  countSupport({ states, documents });
  return states;
}

function addState({
  states,
  length,
  link,
  next,
}: {
  states: State[];
  length: number;
  link: number;
  next: Map<number, number>;
}): number {
  states.push({ length, link, next, support: 0, end: null });
  return states.length - 1;
}

/** Adds one item behind the block of state `last`; returns the state of the longer block. */
function extend({ states, last, item }: { states: State[]; last: number; item: number }): number {
  const from = at(states, last);
  const known = from.next.get(item);
  // An earlier sequence began like this one: a new state would be a second one for the same block.
  if (known !== undefined) return split({ states, from: last, item, target: known });
  const added = addState({ states, length: from.length + 1, link: 0, next: new Map() });
  let walk = last;
  while (walk !== -1 && !at(states, walk).next.has(item)) {
    at(states, walk).next.set(item, added);
    walk = at(states, walk).link;
  }
  const target = walk === -1 ? undefined : at(states, walk).next.get(item);
  if (target !== undefined) at(states, added).link = split({ states, from: walk, item, target });
  return added;
}

/** The state of exactly `from`'s longest block plus `item`: the target, or a clone where the target holds longer ones. */
function split({
  states,
  from,
  item,
  target,
}: {
  states: State[];
  from: number;
  item: number;
  target: number;
}): number {
  const length = at(states, from).length + 1;
  const whole = at(states, target);
  if (whole.length === length) return target;
  const clone = addState({ states, length, link: whole.link, next: new Map(whole.next) });
  whole.link = clone;
  for (let walk = from; walk !== -1 && at(states, walk).next.get(item) === target; walk = at(states, walk).link) {
    at(states, walk).next.set(item, clone);
  }
  return clone;
}

/** Counts each document once in every state whose blocks it holds, and notes the place in the newest one. */
function countSupport({ states, documents }: { states: State[]; documents: readonly (readonly Sequence[])[] }): void {
  documents.forEach((sequences, document) => {
    sequences.forEach((items, sequence) => {
      let reached = 0;
      items.forEach((item, index) => {
        reached = at(states, reached).next.get(item) ?? 0;
        for (let walk = reached; walk > 0; walk = at(states, walk).link) {
          const state = at(states, walk);
          if (state.end?.document === document) break;
          state.support += 1;
          state.end = { document, sequence, index };
        }
      });
    });
  });
}

function at(states: readonly State[], index: number): State {
  const state = states[index];
  if (!state) throw new RangeError(`no state ${index} among ${states.length}`);
  return state;
}
