import type { Usage } from '../core/usage.js';
import type { ChatRequest, Completion } from './chat.js';
import { priceOfModel, usdOf } from './prices.js';
import { countTokens } from './tokens.js';

/** Estimated tokens that the tools on offer add to a prompt. */
export function countTools(tools: NonNullable<ChatRequest['tools']>): number {
  return tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
}

/** One answer as an entry of the run's accounts. `priceOverride` is the value of TESTGRAD_PRICE. */
export function usageOf({
  completion,
  model,
  priceOverride,
}: {
  completion: Completion;
  model: string;
  priceOverride?: string | undefined;
}): Usage {
  const { inputTokens, cachedTokens, outputTokens } = completion.usage;
  return {
    calls: 1,
    inputTokens,
    cachedTokens,
    outputTokens,
    usd: usdOf({ price: priceOfModel({ model, override: priceOverride }), usage: completion.usage }),
    possibleDuplicates: 0,
    drifted: completion.drifted ? 1 : 0,
  };
}
