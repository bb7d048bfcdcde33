import { bootstrapMean } from './bootstrap.js';
import { creditOf } from './credit.js';
import type { Interval } from './interval.js';
import { mcnemarExact } from './mcnemar.js';
import type { InstanceRecord } from './record.js';

/** Two methods on the instances that both have. */
export interface PairedComparison {
  /** Instances that both have. */
  readonly instances: number;
  /** Instances that only one of them has: they take no part. */
  readonly onlyInLeft: readonly string[];
  readonly onlyInRight: readonly string[];
  /** Instances that only one of them resolves, that both resolve, and that neither does; null for expectations. */
  readonly discordant: {
    readonly onlyLeft: number;
    readonly onlyRight: number;
    readonly both: number;
    readonly neither: number;
  } | null;
  /** Rate of the left less that of the right, from −1 to 1; 0 without instances. */
  readonly difference: number;
  /** Bootstrap interval of the difference at 95 %; null without instances. */
  readonly interval: Interval | null;
  /** McNemar's exact two-sided p; null for expectations, which have no pairs of outcomes. */
  readonly p: number | null;
}

/**
 * Compares two methods on the same instances: the candidates are the same, so each instance is a pair and only those that
 * one method resolves and the other does not say anything about which is better.
 */
export function compareMethods({
  left,
  right,
  seed = 1,
}: {
  left: readonly InstanceRecord[];
  right: readonly InstanceRecord[];
  /** Of the bootstrap. */
  seed?: number;
}): PairedComparison {
  const rights = new Map(right.map((record) => [record.instanceId, record]));
  const lefts = new Set(left.map(({ instanceId }) => instanceId));
  const pairs = left.flatMap((record) => {
    const other = rights.get(record.instanceId);
    return other === undefined ? [] : [{ left: creditOf(record).low, right: creditOf(other).low }];
  });
  const differences = pairs.map((pair) => pair.left - pair.right);
  const isWhole = pairs.every((pair) => Number.isInteger(pair.left) && Number.isInteger(pair.right));
  const count = (wantedLeft: number, wantedRight: number): number =>
    pairs.filter((pair) => pair.left === wantedLeft && pair.right === wantedRight).length;
  const discordant = isWhole
    ? { onlyLeft: count(1, 0), onlyRight: count(0, 1), both: count(1, 1), neither: count(0, 0) }
    : null;
  return {
    instances: pairs.length,
    onlyInLeft: left.filter(({ instanceId }) => !rights.has(instanceId)).map(({ instanceId }) => instanceId),
    onlyInRight: right.filter(({ instanceId }) => !lefts.has(instanceId)).map(({ instanceId }) => instanceId),
    discordant,
    difference: pairs.length === 0 ? 0 : differences.reduce((sum, value) => sum + value, 0) / pairs.length,
    interval: bootstrapMean({ values: differences, seed }),
    p: discordant === null ? null : mcnemarExact(discordant),
  };
}
