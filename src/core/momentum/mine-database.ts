import type { Pattern } from './canonical-order.js';
import type { Documents } from './corpus.js';
import { mineBlocks } from './mine-blocks.js';
import { mineElements } from './mine-elements.js';
import { mineSequences } from './mine-sequences.js';

/** What stands for a statement: a text, or a number where nothing but equality matters. */
export type ItemName = string | number;

/** A database of sequences with the question that is asked of it. */
export type SequenceDatabase =
  | {
      /** Blocks of consecutive items, or sequences with others allowed between. */
      readonly semantics: 'contiguous' | 'gapped';
      readonly minSupport: number;
      /** At most this many items between two of a pattern; without it any number. Only for gapped. */
      readonly maxGap: number | null;
      readonly elements: 'items';
      /** Documents, each a list of sequences. */
      readonly documents: readonly (readonly (readonly ItemName[])[])[];
    }
  | {
      readonly semantics: 'gapped';
      readonly minSupport: number;
      readonly maxGap: number | null;
      readonly elements: 'sets';
      readonly documents: readonly (readonly (readonly (readonly ItemName[])[])[])[];
    };

/** Maximal frequent patterns by the names of their items. */
export interface DatabaseAnswer {
  readonly complete: boolean;
  readonly maximalPatterns: readonly {
    readonly items: readonly ItemName[] | readonly (readonly ItemName[])[];
    readonly support: number;
  }[];
}

/** Mines a database by the miner that its question is for; items are ordered by value or by UTF-16 code unit. */
export function mineDatabase(database: SequenceDatabase): DatabaseAnswer {
  const { minSupport, maxGap, semantics } = database;
  if (database.elements === 'sets') {
    const { names, indexOf } = interned(database.documents.flat(3));
    const documents = database.documents.map((all) =>
      all.map((sequence) => sequence.map((set) => [...new Set(set)].map(indexOf).sort((a, b) => a - b))),
    );
    const { patterns, complete } = mineElements({ documents, minSupport, maxGap: maxGap ?? Number.POSITIVE_INFINITY });
    const maximalPatterns = patterns.map(({ elements, support }) => ({
      items: elements.map((set) => set.map((item) => names[item] ?? '')),
      support,
    }));
    return { complete, maximalPatterns };
  }
  const { names, indexOf } = interned(database.documents.flat(2));
  const documents = database.documents.map((all) => all.map((sequence) => sequence.map(indexOf)));
  const { patterns, complete } = minedItems({ documents, minSupport, maxGap, semantics });
  const maximalPatterns = patterns.map(({ items, support }) => ({
    items: items.map((item) => names[item] ?? ''),
    support,
  }));
  return { complete, maximalPatterns };
}

function minedItems({
  documents,
  minSupport,
  maxGap,
  semantics,
}: {
  documents: Documents;
  minSupport: number;
  maxGap: number | null;
  semantics: SequenceDatabase['semantics'];
}): { patterns: readonly Pattern[]; complete: boolean } {
  if (semantics === 'contiguous') {
    return { patterns: mineBlocks({ documents, minSupport, keep: 'maximal' }), complete: true };
  }
  if (maxGap === null) return mineSequences({ documents, minSupport });
  const single = documents.map((all) => all.map((sequence) => sequence.map((item) => [item])));
  const { patterns, complete } = mineElements({ documents: single, minSupport, maxGap });
  return { patterns: patterns.map(({ elements, support }) => ({ items: elements.flat(), support })), complete };
}

function interned(all: readonly ItemName[]): {
  readonly names: readonly ItemName[];
  readonly indexOf: (name: ItemName) => number;
} {
  // Numbers in front of texts, so that the order is one even where both occur.
  const names = [...new Set(all)].sort((a, b) =>
    typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1,
  );
  const indexes = new Map(names.map((name, index) => [name, index]));
  return { names, indexOf: (name) => indexes.get(name) ?? 0 };
}
