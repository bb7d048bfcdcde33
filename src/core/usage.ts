/** Who asked the model; `selector` stands for a method that TestGRAD is compared with. */
export type LlmRole = 'optimizer' | 'judge' | 'checker' | 'selector';

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

/** Sums a whole ledger; an unknown price in it makes the sum's price unknown. */
export function totalUsage(ledger: UsageLedger): Usage {
  return ledger.reduce((sum, entry) => addUsage({ left: sum, right: entry.usage }), NO_USAGE);
}

/** Sums a ledger by role, in the order in which the roles first occur. */
export function usageByRole(ledger: UsageLedger): { role: LlmRole; usage: Usage }[] {
  const roles = [...new Set(ledger.map((entry) => entry.role))];
  return roles.map((role) => ({ role, usage: totalUsage(ledger.filter((entry) => entry.role === role)) }));
}

/** A ledger with a usage added to its role and step; one entry for each pair, in the order of first use. */
export function recordUsage({
  ledger,
  role,
  step,
  usage,
}: {
  ledger: UsageLedger;
  role: LlmRole;
  step: number;
  usage: Usage;
}): UsageLedger {
  const known = ledger.some((entry) => entry.role === role && entry.step === step);
  if (!known) return [...ledger, { role, step, usage }];
  return ledger.map((entry) =>
    entry.role === role && entry.step === step
      ? { ...entry, usage: addUsage({ left: entry.usage, right: usage }) }
      : entry,
  );
}
