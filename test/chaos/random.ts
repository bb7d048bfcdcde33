/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From `low` to below `high`. */
  readonly between: (low: number, high: number) => number;
  /** An entry; each is as likely as its weight says. */
  readonly pick: <T>(choices: readonly (readonly [T, number])[]) => T;
}

/** Mulberry32, a generator of 32 bits of state: enough to choose moments. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    pick: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      throw new Error('nothing to choose from');
    },
  };
}
