import { creditOf } from './credit.js';
import { type Interval, wilsonInterval } from './interval.js';
import type { InstanceRecord } from './record.js';

/** Share of instances resolved by the one patch that was selected for each. */
export interface PassAtOne {
  readonly instances: number;
  /** Sum of credits; whole numbers except for expectations. */
  readonly resolved: number;
  /** `resolved / instances`, from 0 to 1; 0 without instances. */
  readonly rate: number;
  /** Wilson's interval of the rate at 95 %; null without instances, and for expectations, which count nothing. */
  readonly interval: Interval | null;
  /** The rate if every selected patch without a known result resolved its instance. */
  readonly rateAtMost: number;
  /** Instances whose selected patch nobody has graded; they count as not resolved. */
  readonly unknown: number;
  /** Instances that ended with an error; they count as not resolved. */
  readonly errors: number;
  /** Instances for which nothing was selected, errors left out; they count as not resolved. */
  readonly nothing: number;
}

/**
 * Pass@1 of one method over all its records: Σ credit / instances.
 *
 * Source: the paper's measure, "the share resolved under the harness after one patch per instance is selected"; as in the
 * harness every instance counts in the denominator, whatever became of it.
 */
export function passAtOne(records: readonly InstanceRecord[]): PassAtOne {
  const instances = records.length;
  const credits = records.map(creditOf);
  const resolved = credits.reduce((sum, { low }) => sum + low, 0);
  const most = credits.reduce((sum, { high }) => sum + high, 0);
  return {
    instances,
    resolved,
    rate: instances === 0 ? 0 : resolved / instances,
    interval: credits.every(({ low }) => Number.isInteger(low))
      ? wilsonInterval({ successes: resolved, trials: instances })
      : null,
    rateAtMost: instances === 0 ? 0 : most / instances,
    unknown: credits.filter(({ low, high }) => high > low).length,
    errors: records.filter(({ decidedBy }) => decidedBy === 'error').length,
    nothing: records.filter(({ chosen, among, decidedBy }) => isNothing({ chosen, among }) && decidedBy !== 'error')
      .length,
  };
}

const isNothing = ({ chosen, among }: Pick<InstanceRecord, 'chosen' | 'among'>): boolean =>
  chosen === null && among.length === 0;
