import { type BlockEnd, buildAutomaton, type Sequence, type State } from './suffix-automaton.js';

/** A block of consecutive items inside one sequence. */
export interface Block {
  readonly items: readonly number[];
  /** Number of documents that hold it. */
  readonly support: number;
  /** Where it ends for the first time in the newest document that holds it. */
  readonly end: BlockEnd;
}

/**
 * All frequent blocks that nothing longer stands for, in canonical order: support falling, length falling, items rising.
 *
 * Frequent is a block that at least `minSupport` documents hold (1 or more), each counted once. `maximal` keeps those
 * that lie in no longer frequent block: what the paper calls momentum. `closed` keeps those that lie in no longer block
 * of the *same* support: the maximal blocks at every threshold from all documents down to `minSupport`, so that a core
 * that all suites share is not swallowed by a longer block that only two do. Complete, exact and near-linear.
 */
export function mineBlocks({
  documents,
  minSupport,
  keep,
}: {
  documents: readonly (readonly Sequence[])[];
  minSupport: number;
  keep: 'maximal' | 'closed';
}): Block[] {
  const states = buildAutomaton({ documents });
  const longer = longerSupports(states);
  const blocks = states.flatMap((state, index) => {
    const rival = keep === 'maximal' ? minSupport : state.support;
    if (state.end === null || state.support < minSupport || (longer[index] ?? 0) >= rival) return [];
    const { document, sequence, index: last } = state.end;
    const items = documents[document]?.[sequence]?.slice(last + 1 - state.length, last + 1) ?? [];
    return [{ items, support: state.support, end: state.end }];
  });
  return blocks.sort(
    (a, b) => b.support - a.support || b.items.length - a.items.length || compareItems(a.items, b.items),
  );
}

/** For each state, the highest support among its longest block with one item more, behind or in front. */
function longerSupports(states: readonly State[]): number[] {
  const highest = states.map(() => 0);
  const raise = (index: number, support: number): void => {
    highest[index] = Math.max(highest[index] ?? 0, support);
  };
  states.forEach((state, index) => {
    for (const target of state.next.values()) raise(index, states[target]?.support ?? 0);
    // The shortest block of a state is the longest one of its link with one item more in front.
    if (state.link >= 0) raise(state.link, state.support);
  });
  return highest;
}

function compareItems(a: readonly number[], b: readonly number[]): number {
  const first = a.findIndex((item, index) => item !== b[index]);
  return first === -1 ? a.length - b.length : (a[first] ?? 0) - (b[first] ?? 0);
}
