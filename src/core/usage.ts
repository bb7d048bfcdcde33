/** Who asked the model. */
export type LlmRole = 'optimizer' | 'judge' | 'checker';

/** Tokens and price of one call, or of several added up. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  /** Part of the input that the endpoint served from its cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Price in US dollars, or null where the model's price is not known. */
  readonly usd: number | null;
  /** Calls that may have been paid twice: a crash fell between the answer and its storage. */
  readonly possibleDuplicates: number;
  /** Calls answered by a recorded session whose requests differ from the recorded ones. */
  readonly drifted: number;
}

export const NO_USAGE: Usage = {
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  usd: 0,
  possibleDuplicates: 0,
  drifted: 0,
};

/** Adds two usages; an unknown price makes the sum's price unknown. */
export function addUsage({ left, right }: { left: Usage; right: Usage }): Usage {
  return {
    calls: left.calls + right.calls,
    inputTokens: left.inputTokens + right.inputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    usd: left.usd === null || right.usd === null ? null : left.usd + right.usd,
    possibleDuplicates: left.possibleDuplicates + right.possibleDuplicates,
    drifted: left.drifted + right.drifted,
  };
}

/** Usage of a run by role and by step; step 0 holds what belongs to no iteration. */
export type UsageLedger = readonly { readonly role: LlmRole; readonly step: number; readonly usage: Usage }[];
