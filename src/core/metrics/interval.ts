/** A range of values that fit the data. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Probability that an interval's procedure covers the true value. */
export type Confidence = 0.9 | 0.95 | 0.99;

/** Quantile of the standard normal distribution at (1 + confidence) / 2. */
const Z: Readonly<Record<Confidence, number>> = {
  0.9: 1.6448536269514722,
  0.95: 1.959963984540054,
  0.99: 2.5758293035489004,
};

/**
 * Wilson's score interval for a share of `successes` in `trials`, from 0 to 1; null without trials.
 *
 * (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). Source: E. B. Wilson, "Probable Inference, the Law of Succession, and
 * Statistical Inference", JASA 22 (1927). Unlike p ± z √(p(1−p)/n) it stays within 0 and 1 and holds near them.
 */
export function wilsonInterval({
  successes,
  trials,
  confidence = 0.95,
}: {
  successes: number;
  trials: number;
  confidence?: Confidence;
}): Interval | null {
  if (trials === 0) return null;
  const z = Z[confidence];
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = share + z ** 2 / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return {
    // Both are exact at the ends; rounding would leave them a hair's breadth off.
    low: successes === 0 ? 0 : Math.max(0, (centre - spread) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + spread) / scale),
  };
}
