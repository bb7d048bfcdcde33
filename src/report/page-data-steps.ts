import type { StepRecord } from '../core/decision.js';
import type { Momentum } from '../core/failure-memory.js';
import type { Suite } from '../core/suite.js';
import { totalUsage, type UsageLedger } from '../core/usage.js';
import type { DiffLine, PageMomentum, PageStep } from './page-data.js';
import { patchLines } from './page-data-diffs.js';
import { safeLine, safeText } from './safe-text.js';

/** Momentum as a page shows it. */
export const pageMomentum = ({ text, tokens, rawTokens }: Momentum): PageMomentum => ({
  text: safeText(text),
  tokens,
  rawTokens,
});

/**
 * The time line y0 … yK. `momenta` are those mined after failed updates, by step; `suiteDiffs` what updates changed, by
 * step. Where a step has no diff, the tests that its update wrote, as the last suite has them, stand in its place.
 */
export function pageSteps({
  steps,
  usage,
  momenta,
  suiteDiffs,
  suite,
  nameOf,
}: {
  steps: readonly StepRecord[];
  usage: UsageLedger;
  momenta: ReadonlyMap<number, Momentum>;
  suiteDiffs: ReadonlyMap<number, string>;
  suite: Suite | null;
  /** Agent of a candidate's id. */
  nameOf: (id: string) => string;
}): PageStep[] {
  return steps.map((step): PageStep => {
    const spent = totalUsage(usage.filter((entry) => entry.step === step.step && entry.role !== 'checker'));
    const before = [...momenta].filter(([mined]) => mined < step.step).at(-1)?.[1];
    const after = momenta.get(step.step);
    const diff = suiteDiffs.get(step.step);
    return {
      step: step.step,
      operations: step.operations.map(safeLine),
      diagnosis: safeText(step.diagnosis),
      failedDirection: safeText(step.failedDirection),
      loss: step.loss,
      leaderLoss: step.leaderLoss,
      leaders: step.leaders.map(nameOf),
      differential: step.differential,
      evidence: step.evidence,
      executedFiles: step.executedFiles,
      reusedFiles: step.reusedFiles,
      refusals: step.refusals.map(safeText),
      failed: step.rawMemoryTokens > 0,
      tokens: spent.inputTokens + spent.outputTokens,
      calls: spent.calls,
      usd: spent.usd,
      durationMs: step.durationMs ?? null,
      diff: diff === undefined ? writtenTests({ suite, step: step.step }) : patchLines(diff),
      momentumBefore: before === undefined ? null : pageMomentum(before),
      momentumAfter: after === undefined ? bareMomentum(step) : pageMomentum(after),
    };
  });
}

/** What is known of momentum without its text. */
function bareMomentum({ momentumTokens, rawMemoryTokens }: StepRecord): PageMomentum | null {
  return rawMemoryTokens === 0 ? null : { text: '', tokens: momentumTokens, rawTokens: rawMemoryTokens };
}

function writtenTests({ suite, step }: { suite: Suite | null; step: number }): DiffLine[] | null {
  const written = (suite?.changed ?? []).filter((test) => test.step === step);
  if (written.length === 0) return null;
  return written.flatMap(({ op, file, name, source }) => {
    const sign = op === 'delete' ? '-' : '+';
    const lines = safeText(source).trimEnd().split('\n');
    return [
      { sign: ' ' as const, text: safeLine(`# ${op} ${file}::${name}`), only: false },
      ...lines.map((text): DiffLine => ({ sign, text, only: false })),
    ];
  });
}
