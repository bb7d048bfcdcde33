import { seededRandom } from '../random.js';
import type { Interval } from './interval.js';

/**
 * Percentile interval of the mean of paired differences by the bootstrap over instances: the mean is taken of as many
 * values drawn with replacement, `resamples` times, and the interval lies between the (1 − confidence)/2 and
 * (1 + confidence)/2 quantiles of these means. Null without values.
 *
 * The same seed and values give the same interval on every machine. Source: B. Efron, "Bootstrap Methods: Another Look at
 * the Jackknife", Annals of Statistics 7 (1979).
 */
export function bootstrapMean({
  values,
  seed,
  resamples = 10_000,
  confidence = 0.95,
}: {
  values: readonly number[];
  seed: number;
  resamples?: number;
  confidence?: number;
}): Interval | null {
  if (values.length === 0) return null;
  const random = seededRandom(seed);
  const drawn = Float64Array.from(values);
  const means = new Float64Array(resamples);
  for (let sample = 0; sample < resamples; sample += 1) {
    let sum = 0;
    for (let draw = 0; draw < drawn.length; draw += 1) {
      sum += drawn[Math.floor(random() * drawn.length)] as number;
    }
    means[sample] = sum / drawn.length;
  }
  means.sort();
  return {
    low: quantileOfSorted({ sorted: means, at: (1 - confidence) / 2 }),
    high: quantileOfSorted({ sorted: means, at: (1 + confidence) / 2 }),
  };
}

/**
 * Quantile of sorted values, between the two nearest in proportion (type 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996)); NaN without values.
 */
export function quantileOfSorted({ sorted, at }: { sorted: ArrayLike<number>; at: number }): number {
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
