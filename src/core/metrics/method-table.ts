import { candidateTable } from './candidate-table.js';
import { compareMethods, type PairedComparison } from './compare.js';
import { ensembleLines } from './ensemble.js';
import { headroomCaptured } from './headroom.js';
import { type Overhead, overheadOf } from './overhead.js';
import { type PassAtOne, passAtOne } from './pass-at-one.js';
import type { InstanceRecord } from './record.js';
import { recordsByMethod } from './records-by-method.js';

/** One method in the table of methods. */
export interface MethodRow {
  readonly method: string;
  readonly pass: PassAtOne;
  /** Rate less that of the best agent by itself on the method's own instances, from −1 to 1. */
  readonly gain: number;
  /** Part of the room between the best agent and the oracle on these instances; null when there is none. */
  readonly headroom: number | null;
  /** Instances where the method's own answer could not be used, or no test decided although candidates differ. */
  readonly fallbacks: number;
  readonly overhead: Overhead | null;
  /** Against the reference method; null for the reference itself. */
  readonly against: PairedComparison | null;
}

/** The bounds that all methods share. */
export interface MethodTable {
  readonly reference: string;
  readonly best: { readonly agent: string; readonly rate: number };
  readonly oracle: number;
  readonly expected: number;
  readonly adversary: number;
  readonly rows: readonly MethodRow[];
}

/**
 * The table of methods (the paper's RQ1), or of ablations (RQ3, with the full method as `reference`): Pass@1 with its
 * interval, gain over the best agent, headroom, cost, and the paired comparison with the reference. Each method is measured
 * against the best agent and the oracle on its own instances, so that an unfinished one is not compared with a whole.
 *
 * Throws a RangeError for a reference without records.
 */
export function methodTable({
  records,
  reference,
  seed = 1,
}: {
  records: readonly InstanceRecord[];
  reference: string;
  /** Of the bootstraps. */
  seed?: number;
}): MethodTable {
  const methods = recordsByMethod(records);
  const base = methods.get(reference);
  if (base === undefined) throw new RangeError(`no records of method ${reference}`);
  const bounds = ensembleLines(candidateTable(records)).at(-1);
  const { best, oracle, expected, adversary } = bounds ?? NO_BOUNDS;
  const rows = [...methods].map(([method, own]): MethodRow => {
    const pass = passAtOne(own);
    const room = ensembleLines(candidateTable(own)).at(-1) ?? NO_BOUNDS;
    return {
      method,
      pass,
      gain: pass.rate - room.best.rate,
      headroom: headroomCaptured({ rate: pass.rate, best: room.best.rate, oracle: room.oracle }),
      fallbacks: own.filter(({ decidedBy }) => decidedBy === 'fallback').length,
      overhead: overheadOf(own),
      against: method === reference ? null : compareMethods({ left: own, right: base, seed }),
    };
  });
  return { reference, best, oracle, expected, adversary, rows };
}

const NO_BOUNDS = { best: { agent: '', rate: 0 }, oracle: 0, expected: 0, adversary: 0 };
