import type { InstanceRecord } from './record.js';

/** Momentum against raw memory at one iteration. */
export interface MomentumRow {
  readonly step: number;
  /** Instances that were still not separated and so have a memory at this step. */
  readonly instances: number;
  /** Means over these instances, in tokens. */
  readonly momentumTokens: number;
  readonly rawTokens: number;
  readonly momentumMax: number;
  readonly rawMax: number;
  /** Raw tokens for one of momentum, of the means; null while momentum is empty. */
  readonly ratio: number | null;
}

/**
 * Size of momentum and of the raw memory by iteration. Source: the paper's RQ4, which gives at most about 150 tokens of
 * momentum where the raw memory reaches 16,400 at iteration 6, and their ratio. Steps without memory are left out.
 */
export function momentumByStep(records: readonly InstanceRecord[]): MomentumRow[] {
  const entries = records.flatMap(({ memory }) => memory).filter(({ rawTokens }) => rawTokens > 0);
  const steps = [...new Set(entries.map(({ step }) => step))].sort((left, right) => left - right);
  return steps.map((step) => {
    const own = entries.filter((entry) => entry.step === step);
    const momentum = own.map(({ momentumTokens }) => momentumTokens);
    const raw = own.map(({ rawTokens }) => rawTokens);
    const momentumTokens = mean(momentum);
    const rawTokens = mean(raw);
    return {
      step,
      instances: own.length,
      momentumTokens,
      rawTokens,
      momentumMax: Math.max(...momentum),
      rawMax: Math.max(...raw),
      ratio: momentumTokens === 0 ? null : rawTokens / momentumTokens,
    };
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
