import { creditOf, isMixed } from './credit.js';
import { type Interval, wilsonInterval } from './interval.js';
import { DECIDED_BY, type DecidedBy, type InstanceRecord } from './record.js';

/** How often a way of deciding was right. */
export interface DecidedRow {
  readonly decidedBy: DecidedBy;
  readonly instances: number;
  /** Part of all instances. */
  readonly share: number;
  readonly resolved: number;
  /** `resolved / graded`; null where nobody has graded a selected patch. */
  readonly precision: number | null;
  /** Wilson's at 95 %; null without graded patches, and for expectations. */
  readonly interval: Interval | null;
  /** Selected patches with a known result. */
  readonly graded: number;
  /** The same over instances where some candidate is right and some is wrong: elsewhere any choice does as well. */
  readonly mixed: { readonly graded: number; readonly resolved: number };
}

/**
 * Precision of one method by how it decided: resolved / graded among the instances decided that way, with Wilson's
 * interval. The paper does not publish this; it is what tells how far a single choice can be trusted.
 */
export function precisionByDecision(records: readonly InstanceRecord[]): DecidedRow[] {
  return DECIDED_BY.flatMap((decidedBy) => {
    const own = records.filter((record) => record.decidedBy === decidedBy);
    if (own.length === 0) return [];
    const all = gradedOf(own);
    return [
      {
        decidedBy,
        instances: own.length,
        share: own.length / records.length,
        resolved: all.resolved,
        precision: all.graded === 0 ? null : all.resolved / all.graded,
        interval: Number.isInteger(all.resolved)
          ? wilsonInterval({ successes: all.resolved, trials: all.graded })
          : null,
        graded: all.graded,
        mixed: gradedOf(own.filter(isMixed)),
      },
    ];
  });
}

function gradedOf(records: readonly InstanceRecord[]): { graded: number; resolved: number } {
  const credits = records
    .filter(({ chosen, among }) => chosen !== null || among.length > 0)
    .map(creditOf)
    .filter(({ low, high }) => low === high);
  return { graded: credits.length, resolved: credits.reduce((sum, { low }) => sum + low, 0) };
}
