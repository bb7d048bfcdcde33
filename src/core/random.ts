/**
 * A small deterministic generator (mulberry32) of numbers from 0 to below 1, for presentation orders and resampling.
 *
 * Source: Tommy Ettinger's mulberry32, public domain. Not for anything secret.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A new array in a seeded order (Fisher-Yates); the same seed and items give the same order on every machine. */
export function seededShuffle<T>({ items, seed }: { items: readonly T[]; seed: number }): T[] {
  const shuffled = [...items];
  const random = seededRandom(seed);
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const pick = Math.floor(random() * (last + 1));
    const held = shuffled[last] as T;
    shuffled[last] = shuffled[pick] as T;
    shuffled[pick] = held;
  }
  return shuffled;
}
