/** Up to two known keys that differ from a key by at most two slips of the hand, the nearest first. */
export function closeKeys({ key, known }: { key: string; known: readonly string[] }): string[] {
  return known
    .map((name) => ({ name, slips: slips(key.toLowerCase(), name) }))
    .filter((each) => each.slips <= 2 && each.slips < each.name.length)
    .sort((left, right) => left.slips - right.slips)
    .slice(0, 2)
    .map(({ name }) => name);
}

/** Letters added, left out, changed or swapped with their neighbour (optimal string alignment). */
function slips(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1];
      const at = (line: number, column: number): number => rows[line]?.[column] ?? 0;
      const best = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      row.push(swapped ? Math.min(best, at(i - 2, j - 2) + 1) : best);
    }
    rows.push(row);
  }
  return rows[left.length]?.[right.length] ?? 0;
}
