import { seededShuffle } from './random.js';

/** What of a dataset runs; each narrows the ones before it, in this order. */
export interface InstanceChoice {
  /** Ids; null for all. */
  readonly ids: readonly string[] | null;
  readonly filter: RegExp | null;
  /** Seed of a new order; null to keep the dataset's. */
  readonly shuffleSeed: number | null;
  /** Places from and to, the end excluded; negative ones count from the end, null is open. */
  readonly slice: { readonly from: number | null; readonly to: number | null } | null;
}

/** The chosen instances, and ids that were named and are not there. */
export function chooseInstances({
  all,
  choice,
}: {
  /** Ids in the order of the dataset. */
  all: readonly string[];
  choice: InstanceChoice;
}): { readonly chosen: readonly string[]; readonly unknown: readonly string[] } {
  const { ids, filter, shuffleSeed, slice } = choice;
  const named = ids === null ? null : new Set(ids);
  let chosen = all.filter((id) => (named === null || named.has(id)) && (filter === null || filter.test(id)));
  if (shuffleSeed !== null) chosen = seededShuffle({ items: chosen, seed: shuffleSeed });
  if (slice !== null) chosen = chosen.slice(slice.from ?? 0, slice.to ?? undefined);
  const known = new Set(all);
  return { chosen, unknown: (ids ?? []).filter((id) => !known.has(id)) };
}

/**
 * Reads `0:50`, `10:`, `:-5` or `7` (that one place); null for anything else.
 */
export function parseSlice(text: string): { readonly from: number | null; readonly to: number | null } | null {
  const [, from = '', colon = '', to = ''] = /^(-?\d*)(:?)(-?\d*)$/.exec(text.trim()) ?? [];
  const place = (part: string): number | null => (part === '' ? null : Number(part));
  if (from === '-' || to === '-') return null;
  if (colon === '') return from === '' || to !== '' ? null : oneAt(Number(from));
  return { from: place(from), to: place(to) };
}

const oneAt = (at: number) => ({ from: at, to: at === -1 ? null : at + 1 });

/** Reads `4`, `1..4` or `1,2,4` as ascending numbers of agents; null for anything else or beyond `agents`. */
export function parseSizes({ text, agents }: { text: string; agents: number }): readonly number[] | null {
  const sizes = text.split(',').flatMap((part) => {
    const [, from = '', to = from] = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part) ?? [];
    const [low, high] = [Number(from), Number(to)];
    if (from === '' || low > high || high > 1_000) return [Number.NaN];
    return Array.from({ length: high - low + 1 }, (_, index) => low + index);
  });
  if (sizes.some((size) => !(size >= 1 && size <= agents))) return null;
  return [...new Set(sizes)].sort((left, right) => left - right);
}
