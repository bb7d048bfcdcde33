import type { Ask, AskAnswer } from '../method.js';
import { chosenSolution, ensembleMessages } from './prompt.js';

/** Output tokens of the one call, as published. */
const AUGMENT_OUTPUT_TOKENS = 16_384;

/**
 * Augment's one call. `diffs` are shown in this order; `number` is the answer as written, from 1, or null.
 *
 * No temperature is sent: the published script leaves it out for the reasoning models it is made for.
 */
export async function ensemble({
  issue,
  diffs,
  ask,
}: {
  issue: string;
  diffs: readonly string[];
  ask: Ask;
}): Promise<{ number: number | null; answer: AskAnswer }> {
  const answer = await ask({
    messages: ensembleMessages({ issue, diffs }),
    tools: [],
    maxOutputTokens: AUGMENT_OUTPUT_TOKENS,
    temperature: null,
    sample: 0,
  });
  return { number: chosenSolution(answer.content), answer };
}
