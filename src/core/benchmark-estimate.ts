import type { RunMethod } from './benchmark-plan.js';

/** What is to be done, counted. */
export interface WorkCount {
  readonly method: RunMethod;
  readonly arm: string;
  /** Runs of the plan, and those without a result. */
  readonly items: number;
  readonly left: number;
}

/** From the least to the most that was measured. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What a run may cost. An estimate: `basis` says from what. */
export interface Estimate {
  readonly tokens: Range;
  /** Null where the model's price is not known. */
  readonly usd: Range | null;
  /** Wall time with this width, minutes. */
  readonly minutes: Range;
  readonly basis: readonly string[];
}

/**
 * Tokens and minutes of one method on one instance with four candidates: the least and the most of three models
 * (MiniMax-M2.7, DeepSeek-V3.2, GLM-5.1) on SWE-bench Verified, as the TestGRAD page publishes them. The pass count asks
 * nobody; its time is that of executing, taken as Agentless's.
 */
const PUBLISHED: Readonly<Record<RunMethod, { readonly tokens: Range; readonly minutes: Range }>> = {
  testgrad: { tokens: { low: 670_000, high: 1_670_000 }, minutes: { low: 12.2, high: 23 } },
  augment: { tokens: { low: 2_800, high: 3_200 }, minutes: { low: 1.3, high: 1.8 } },
  agentless: { tokens: { low: 14_800, high: 16_200 }, minutes: { low: 7.2, high: 8.6 } },
  trae: { tokens: { low: 318_000, high: 412_000 }, minutes: { low: 19.3, high: 26.7 } },
  'pass-count': { tokens: { low: 0, high: 0 }, minutes: { low: 7.2, high: 8.6 } },
};

/** Part of the tokens that is output: conversations are sent again and again, so that input is most of it. */
const OUTPUT_SHARE = 0.05;

/** Estimates what is left of a plan. */
export function estimateRun({
  work,
  width,
  price,
}: {
  work: readonly WorkCount[];
  width: number;
  /** US dollars per million tokens; null where it is not known. */
  price: { readonly input: number; readonly output: number } | null;
}): Estimate {
  const sum = (of: (method: RunMethod) => number): number =>
    work.reduce((total, { method, left }) => total + left * of(method), 0);
  const range = (kind: 'tokens' | 'minutes'): Range => ({
    low: sum((method) => PUBLISHED[method][kind].low),
    high: sum((method) => PUBLISHED[method][kind].high),
  });
  const tokens = range('tokens');
  const usdOf = (count: number, { input, output }: { input: number; output: number }): number =>
    (count * ((1 - OUTPUT_SHARE) * input + OUTPUT_SHARE * output)) / 1_000_000;
  const minutes = range('minutes');
  return {
    tokens,
    usd: price === null ? null : { low: usdOf(tokens.low, price), high: usdOf(tokens.high, price) },
    minutes: { low: minutes.low / width, high: minutes.high / width },
    basis: [
      'Tokens and time of an instance: the least and the most that the TestGRAD page gives for three models on SWE-bench Verified with four candidates.',
      price === null
        ? 'The price of the model is not known: TESTGRAD_PRICE=input,output.'
        : `Price: ${price.input} and ${price.output} US dollars per million tokens of input and output, ${OUTPUT_SHARE * 100}% of the tokens taken as output, none as cached.`,
      `Time: ${width} at a time, as if machine and model kept up with that.`,
    ],
  };
}
