import { comparePatterns, type Pattern } from './canonical-order.js';
import { at, type Corpus, corpusOf, type Documents } from './corpus.js';
import { type Automaton, buildAutomaton } from './suffix-automaton.js';

/** A block of consecutive items inside one sequence. */
export interface Block extends Pattern {
  /** Where it ends for the first time in the newest document that holds it; `index` is that of its last item. */
  readonly end: { readonly document: number; readonly sequence: number; readonly index: number };
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
  documents: Documents;
  minSupport: number;
  keep: 'maximal' | 'closed';
}): Block[] {
  const { text, documentStarts, supports } = corpusOf({ documents });
  const items = barInfrequent({ text, supports, minSupport });
  const automaton = buildAutomaton({ text, documentStarts, items });
  const longer = longerSupports(automaton);
  const blocks: Block[] = [];
  for (let state = 1; state < automaton.size; state += 1) {
    const support = at(automaton.support, state);
    const rival = keep === 'maximal' ? minSupport : support;
    if (support < minSupport || at(longer, state) >= rival) continue;
    const last = at(automaton.end, state);
    const block: number[] = [];
    for (let place = last + 1 - at(automaton.length, state); place <= last; place += 1) block.push(at(text, place));
    blocks.push({ items: block, support, end: placeIn({ documents, documentStarts, place: last }) });
  }
  return blocks.sort(comparePatterns);
}

/**
 * Lets items that too few documents hold end a block as the end of a sequence does: most statements of a test are its
 * own, so that this leaves little to do. Returns how many items are left.
 */
function barInfrequent({ text, supports, minSupport }: Pick<Corpus, 'text' | 'supports'> & { minSupport: number }) {
  let left = 0;
  for (let index = 0; index < text.length; index += 1) {
    const item = at(text, index);
    if (item < 0) continue;
    if (at(supports, item) < minSupport) text[index] = -1;
    else left += 1;
  }
  return left;
}

function placeIn({
  documents,
  documentStarts,
  place,
}: {
  documents: Documents;
  documentStarts: Int32Array;
  place: number;
}): Block['end'] {
  let document = 0;
  while (at(documentStarts, document + 1) <= place) document += 1;
  let index = place - at(documentStarts, document);
  let sequence = 0;
  for (const { length } of documents[document] ?? []) {
    if (index <= length) break;
    index -= length + 1;
    sequence += 1;
  }
  return { document, sequence, index };
}

/** For each state, the highest support among its longest block with one item more, behind or in front. */
function longerSupports({ size, link, support, edges }: Automaton): Int32Array {
  const highest = new Int32Array(size);
  const raise = (state: number, by: number): void => {
    if (at(highest, state) < by) highest[state] = by;
  };
  for (let edge = 0; edge < edges.size; edge += 1) raise(at(edges.from, edge), at(support, at(edges.to, edge)));
  // The shortest block of a state is the longest one of its link with one item more in front.
  for (let state = 1; state < size; state += 1) raise(at(link, state), at(support, state));
  return highest;
}
