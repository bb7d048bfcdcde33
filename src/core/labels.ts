import { seededShuffle } from './random.js';

/** Neutral names by candidate id. */
export type Labels = Readonly<Record<string, string>>;

/** Gives each id a neutral label, `A`, `B`, …, `Z`, `AA`, …, in an order that the seed alone decides. */
export function assignLabels({ ids, seed }: { ids: readonly string[]; seed: number }): Labels {
  return Object.fromEntries(seededShuffle({ items: ids, seed }).map((id, index) => [id, labelAt(index)]));
}

/** The label of an id; throws a RangeError for an id that was given none, which is a defect of the caller. */
export function labelOf({ labels, id }: { labels: Labels; id: string }): string {
  const label = labels[id];
  if (label === undefined) throw new RangeError(`no label for candidate ${id}`);
  return label;
}

/** The id behind a label as a model wrote it (case and surrounding space do not matter); null for an unknown label. */
export function idOfLabel({ labels, label }: { labels: Labels; label: string }): string | null {
  const wanted = label.trim().toUpperCase();
  return Object.keys(labels).find((id) => labels[id] === wanted) ?? null;
}

function labelAt(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : labelAt(Math.floor(index / 26) - 1) + letter;
}
