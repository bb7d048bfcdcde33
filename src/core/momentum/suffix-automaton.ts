import { at, type Corpus } from './corpus.js';

/**
 * A suffix automaton as columns by state; state 0 is the root (the empty block). A state stands for the blocks that end
 * at the same places.
 */
export interface Automaton {
  readonly size: number;
  /** Length of a state's longest block. */
  readonly length: Int32Array;
  /** The state that holds the longest suffix which ends at more places; -1 at the root. */
  readonly link: Int32Array;
  /** Number of documents that hold the state's blocks. */
  readonly support: Int32Array;
  /** Where in the text they end for the first time in the newest document that holds them; -1 for nowhere. */
  readonly end: Int32Array;
  /** The transitions by one more item behind, as columns. */
  readonly edges: { readonly size: number; readonly from: Int32Array; readonly to: Int32Array };
}

/** A text of which negative items end a block. */
type Text = Pick<Corpus, 'text' | 'documentStarts'>;

interface Building {
  readonly length: Int32Array;
  readonly link: Int32Array;
  readonly firstEdge: Int32Array;
  readonly edgeFrom: Int32Array;
  readonly edgeItem: Int32Array;
  readonly edgeTo: Int32Array;
  /** The state's next edge, or -1. */
  readonly edgeNext: Int32Array;
  /** Edges by a hash of state and item, plus 1; 0 is empty. */
  readonly slots: Int32Array;
  readonly shift: number;
  states: number;
  edges: number;
}

/**
 * The suffix automaton of a corpus with this many items that are no ends, with the support of every state.
 *
 * Time and space grow linearly with the text to build it; counting support is linear in practice. Source: Blumer et al.,
 * "The smallest automaton recognizing the subwords of a text" (1985), generalised to several sequences by starting at
 * the root for each. Columns of numbers in place of objects: a large text is bound by memory, not by arithmetic.
 */
export function buildAutomaton({ text, documentStarts, items }: Text & { items: number }): Automaton {
  const building = emptyBuilding(items);
  let last = 0;
  for (let index = 0; index < text.length; index += 1) {
    const item = at(text, index);
    last = item < 0 ? 0 : extend(building, last, item);
  }
  const { states: size, length, link, edges, edgeFrom, edgeTo } = building;
  const { support, end } = countSupport({ building, text, documentStarts });
  return { size, length, link, support, end, edges: { size: edges, from: edgeFrom, to: edgeTo } };
}

/**
 * At most two states and three transitions an item, whatever the text. The columns are parts of one piece of memory: to get
 * and to give back eight takes longer than to mine a small text.
 */
function emptyBuilding(items: number): Building {
  const states = 2 * items + 1;
  const edges = 3 * items + 1;
  const slotBits = Math.max(4, Math.ceil(Math.log2(edges)) + 1);
  const memory = new Int32Array(3 * states + 4 * edges + 2 ** slotBits);
  let taken = 0;
  const column = (size: number): Int32Array => {
    taken += size;
    return memory.subarray(taken - size, taken);
  };
  const building: Building = {
    length: column(states),
    link: column(states),
    firstEdge: column(states).fill(-1),
    edgeFrom: column(edges),
    edgeItem: column(edges),
    edgeTo: column(edges),
    edgeNext: column(edges),
    slots: column(2 ** slotBits),
    shift: 32 - slotBits,
    states: 1,
    edges: 0,
  };
  building.link[0] = -1;
  return building;
}

/** Adds one item behind the block of state `last`; returns the state of the longer block. */
function extend(building: Building, last: number, item: number): number {
  const { length, link } = building;
  const known = findEdge(building, last, item);
  // An earlier sequence began like this one: a new state would be a second one for the same block.
  if (known >= 0) return split(building, last, known, item);
  const added = building.states++;
  length[added] = at(length, last) + 1;
  let walk = last;
  let edge = known;
  while (walk >= 0 && edge < 0) {
    addEdge(building, walk, item, added);
    walk = at(link, walk);
    edge = walk < 0 ? -1 : findEdge(building, walk, item);
  }
  link[added] = edge < 0 ? 0 : split(building, walk, edge, item);
  return added;
}

/** The state of exactly `from`'s longest block plus `item`: the edge's, or a clone where that one holds longer ones. */
function split(building: Building, from: number, edge: number, item: number): number {
  const { length, link, firstEdge, edgeItem, edgeTo, edgeNext } = building;
  const target = at(edgeTo, edge);
  if (at(length, target) === at(length, from) + 1) return target;
  const clone = building.states++;
  length[clone] = at(length, from) + 1;
  link[clone] = at(link, target);
  for (let one = at(firstEdge, target); one >= 0; one = at(edgeNext, one)) {
    addEdge(building, clone, at(edgeItem, one), at(edgeTo, one));
  }
  link[target] = clone;
  for (let walk = from; walk >= 0; walk = at(link, walk)) {
    const same = findEdge(building, walk, item);
    if (same < 0 || at(edgeTo, same) !== target) break;
    edgeTo[same] = clone;
  }
  return clone;
}

function addEdge(building: Building, from: number, item: number, to: number): void {
  const { slots, shift, firstEdge, edgeFrom, edgeItem, edgeTo, edgeNext } = building;
  const edge = building.edges++;
  edgeFrom[edge] = from;
  edgeItem[edge] = item;
  edgeTo[edge] = to;
  edgeNext[edge] = at(firstEdge, from);
  firstEdge[from] = edge;
  let slot = hash(from, item) >>> shift;
  while (at(slots, slot) !== 0) slot = (slot + 1) & (slots.length - 1);
  slots[slot] = edge + 1;
}

function findEdge(building: Building, from: number, item: number): number {
  const { slots, shift, edgeFrom, edgeItem } = building;
  for (let slot = hash(from, item) >>> shift; ; slot = (slot + 1) & (slots.length - 1)) {
    const edge = at(slots, slot) - 1;
    if (edge < 0 || (at(edgeFrom, edge) === from && at(edgeItem, edge) === item)) return edge;
  }
}

const hash = (from: number, item: number): number => Math.imul(Math.imul(from, 0x9e3779b1) ^ (item + 1), 0x85ebca77);

/** Counts each document once in every state whose blocks it holds, and notes the place in the newest one. */
function countSupport({ building, text, documentStarts }: Text & { building: Building }) {
  const { link, edgeTo } = building;
  const support = new Int32Array(building.states);
  const end = new Int32Array(building.states).fill(-1);
  for (let document = 0; document + 1 < documentStarts.length; document += 1) {
    const start = at(documentStarts, document);
    let reached = 0;
    for (let index = start; index < at(documentStarts, document + 1); index += 1) {
      const item = at(text, index);
      reached = item < 0 ? 0 : at(edgeTo, findEdge(building, reached, item));
      // States behind a counted one in the chain of links are counted as well.
      for (let walk = reached; walk > 0 && at(end, walk) < start; walk = at(link, walk)) {
        support[walk] = at(support, walk) + 1;
        end[walk] = index;
      }
    }
  }
  return { support, end };
}
