import { quantileOfSorted } from './bootstrap.js';
import type { InstanceRecord } from './record.js';

/** How a quantity is spread over instances. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  /** Nine of ten instances need at most this. */
  readonly p90: number;
  readonly total: number;
}

/** What a method costs; instances that ended with an error are part of it. */
export interface Overhead {
  readonly instances: number;
  /** Wall time of an instance in minutes. */
  readonly minutes: Spread;
  /** Input and output tokens of an instance, all roles. */
  readonly tokens: Spread;
  readonly calls: Spread;
  /** US dollars; null where the price of a model is not known. */
  readonly usd: Spread | null;
  /** Calls that may have been paid twice. */
  readonly possibleDuplicates: number;
}

/**
 * Time and tokens per instance. Source: the paper's overhead table, which gives means in minutes and in thousands of tokens
 * over all instances; median and 90 % are added since few instances take most. Null without records.
 */
export function overheadOf(records: readonly InstanceRecord[]): Overhead | null {
  if (records.length === 0) return null;
  const prices = records.map(({ usage }) => usage.usd);
  const known = prices.filter((usd) => usd !== null);
  return {
    instances: records.length,
    minutes: spreadOf(records.map(({ durations }) => durations.wallMs / 60_000)),
    tokens: spreadOf(records.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    calls: spreadOf(records.map(({ usage }) => usage.calls)),
    usd: known.length === prices.length ? spreadOf(known) : null,
    possibleDuplicates: records.reduce((sum, { usage }) => sum + usage.possibleDuplicates, 0),
  };
}

/** Of at least one value. */
function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    mean: total / values.length,
    median: quantileOfSorted({ sorted, at: 0.5 }),
    p90: quantileOfSorted({ sorted, at: 0.9 }),
    total,
  };
}
