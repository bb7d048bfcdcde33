import type { ReuseEvidence } from '../core/suite.js';

/** One piece of a repository's testing knowledge, and how often the given test files use it. */
export interface InventoryEntry extends ReuseEvidence {
  /** Where it is defined, or first used in the file that uses it most. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly count: number;
  /** A signature, a fixture's scope, a decorator's arguments, the module of a base class. */
  readonly detail?: string;
  /** Of what is defined in a file that was read: its first use in the file that uses it most. */
  readonly usedAt?: { readonly file: string; readonly line: number };
}

/** Uses of a symbol in one file, or its definition. */
export interface Use {
  readonly aspect: ReuseEvidence['aspect'];
  /** Uses with the same aspect and key are uses of the same thing. */
  readonly key: string;
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  /** Of a definition 0. */
  readonly count: number;
  readonly detail?: string | undefined;
  readonly isDefinition: boolean;
}

/**
 * Adds up uses by aspect and key. The place is that of the definition where there is one, else of the first use in the
 * file with the most uses; the symbol is as that file writes it, the detail the most frequent one. Ordered by count,
 * then by the files as given and by line.
 */
export function tally(uses: readonly Use[]): readonly InventoryEntry[] {
  const groups = new Map<string, Use[]>();
  for (const one of uses) {
    const key = `${one.aspect}\n${one.key}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [one]);
    } else {
      group.push(one);
    }
  }
  const ranks = new Map([...new Set(uses.map(({ file }) => file))].map((file, rank) => [file, rank]));
  const rankOf = ({ file }: InventoryEntry): number => ranks.get(file) ?? 0;
  return [...groups.values()]
    .map(entryOf)
    .sort((left, right) => right.count - left.count || rankOf(left) - rankOf(right) || left.line - right.line);
}

function entryOf(group: readonly Use[]): InventoryEntry {
  const used = group.filter(({ isDefinition }) => !isDefinition);
  const defined = group.find(({ isDefinition }) => isDefinition);
  const most = heaviest(used, ({ file }) => file);
  const { aspect, symbol, file, line } = defined ?? most ?? (group[0] as Use);
  const detail = defined?.detail ?? heaviest(used, (use) => use.detail ?? '')?.detail;
  const isElsewhere = defined !== undefined && most !== undefined;
  return {
    aspect,
    symbol: most?.symbol ?? symbol,
    file,
    line,
    count: used.reduce((sum, one) => sum + one.count, 0),
    ...(detail === undefined || detail === '' ? {} : { detail }),
    ...(isElsewhere ? { usedAt: { file: most.file, line: most.line } } : {}),
  };
}

/** The first use of those that share a label and have the most uses together. */
function heaviest(uses: readonly Use[], labelOf: (use: Use) => string): Use | undefined {
  const sums = new Map<string, { first: Use; count: number }>();
  for (const use of uses) {
    const label = labelOf(use);
    const known = sums.get(label);
    sums.set(label, { first: known?.first ?? use, count: (known?.count ?? 0) + use.count });
  }
  let best: { first: Use; count: number } | undefined;
  for (const sum of sums.values()) {
    best = best === undefined || sum.count > best.count ? sum : best;
  }
  return best?.first;
}
