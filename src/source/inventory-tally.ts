import type { InventoryEntry } from './inventory.js';
import type { UsedSymbol } from './inventory-aspects.js';

/** Symbols that are too common a value to tell anything when a single test expects them. */
const LEAST_USES = { 'expected-value': 2 } as const;

/**
 * Adds up uses by aspect and symbol. The place is that of the definition where there is one, else of the first use in
 * the file with the most uses. Ordered by count, then by symbol.
 */
export function tally(used: readonly UsedSymbol[]): readonly InventoryEntry[] {
  const groups = new Map<string, UsedSymbol[]>();
  for (const one of used) {
    const key = `${one.aspect}\n${one.symbol}`;
    const group = groups.get(key) ?? [];
    group.push(one);
    groups.set(key, group);
  }
  return [...groups.values()]
    .flatMap((group) => entryOf(group))
    .sort((left, right) => right.count - left.count || (left.symbol < right.symbol ? -1 : 1));
}

function entryOf(group: readonly UsedSymbol[]): InventoryEntry[] {
  const count = group.reduce((sum, one) => sum + one.count, 0);
  const defined = group.find(({ isDefinition }) => isDefinition);
  const most = group.reduce((best, one) => (one.count > best.count ? one : best));
  const { aspect, symbol, file, line } = defined ?? most;
  const least = aspect === 'expected-value' && defined === undefined ? LEAST_USES[aspect] : 0;
  // A helper or fixture that the given files do not use is still on offer.
  return count < least || (count === 0 && defined === undefined) ? [] : [{ aspect, symbol, file, line, count }];
}
