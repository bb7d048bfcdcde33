/** A list of items and the number of documents that hold it. */
export interface Pattern {
  readonly items: readonly number[];
  readonly support: number;
}

/** The canonical order of patterns: support falling, length falling, items rising. */
export function comparePatterns(a: Pattern, b: Pattern): number {
  return b.support - a.support || b.items.length - a.items.length || compareItems(a.items, b.items);
}

function compareItems(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
