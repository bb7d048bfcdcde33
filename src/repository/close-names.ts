/** The names most like `wanted`, best first: at most `count`, and none that differs in more than a third of the letters. */
export function closeNames({
  wanted,
  names,
  count = 3,
}: {
  wanted: string;
  names: readonly string[];
  count?: number;
}): string[] {
  return names
    .map((name) => ({ name, distance: distanceTo({ wanted, name }) }))
    .filter(({ distance }) => distance <= Math.ceil(wanted.length / 3))
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** A branch is also known without its remote, or by its last part. */
function distanceTo({ wanted, name }: { wanted: string; name: string }): number {
  const shorter = name.slice(name.indexOf('/') + 1);
  return Math.min(editDistance(wanted, name), editDistance(wanted, shorter) + (shorter === name ? 0 : 0.5));
}

/** Levenshtein distance, ignoring case. */
function editDistance(left: string, right: string): number {
  const to = [...right.toLowerCase()];
  let previous = [0, ...to.map((_, index) => index + 1)];
  for (const [row, letter] of [...left.toLowerCase()].entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
