import type { Decision } from '../../src/core/decision.js';

/**
 * What a decision says, without what depends on time and on who had worked before: how long steps took, how many test
 * files were executed, and how many calls may have been paid twice.
 */
export function meaningOf({ steps, usage, ...decision }: Decision): Decision {
  return {
    ...decision,
    steps: steps.map(({ durationMs: _, ...step }) => ({ ...step, executedFiles: 0, reusedFiles: 0 })),
    usage: usage.map((entry) => ({ ...entry, usage: { ...entry.usage, possibleDuplicates: 0 } })),
  };
}
