import { InputError } from '../errors.js';
import type { AnswerUsage } from './chat.js';

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  /** Input that the endpoint served from its cache. */
  readonly cached: number;
  readonly output: number;
}

const price = (input: number, cached: number, output: number): Price => ({ input, cached, output });

/** List prices as published by the providers, early 2026; TESTGRAD_PRICE overrides them. */
const PRICES: Readonly<Record<string, Price>> = {
  'gpt-4o': price(2.5, 1.25, 10),
  'gpt-4o-mini': price(0.15, 0.075, 0.6),
  'gpt-4.1': price(2, 0.5, 8),
  'gpt-4.1-mini': price(0.4, 0.1, 1.6),
  'gpt-4.1-nano': price(0.1, 0.025, 0.4),
  'gpt-5': price(1.25, 0.125, 10),
  'gpt-5-mini': price(0.25, 0.025, 2),
  'gpt-5-nano': price(0.05, 0.005, 0.4),
  o3: price(2, 0.5, 8),
  'o4-mini': price(1.1, 0.275, 4.4),
  'deepseek-v3.2': price(0.28, 0.028, 0.42),
  'minimax-m2.7': price(0.3, 0.03, 1.2),
};

/**
 * Price of a model, or null where it is not known: a guess would be worse than none.
 *
 * A provider's prefix (`openai/…`) and a date at the end (`…-2025-04-14`) do not matter. `override` is the value of
 * TESTGRAD_PRICE, see parsePrice.
 */
export function priceOfModel({ model, override }: { model: string; override?: string | undefined }): Price | null {
  if (override?.trim()) return parsePrice(override);
  const name = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
  return Object.hasOwn(PRICES, name) ? (PRICES[name] ?? null) : null;
}

/**
 * Reads `input,output[,cached]` in US dollars per million tokens; without the third, cached input costs as much as any.
 * Throws InputError TG-I14 for anything else.
 */
export function parsePrice(text: string): Price {
  const numbers = text.split(',').map((part) => (/^\s*\d+(\.\d+)?\s*$/.test(part) ? Number(part) : Number.NaN));
  const [input, output, cached = input] = numbers;
  if (
    input === undefined ||
    output === undefined ||
    cached === undefined ||
    numbers.length > 3 ||
    numbers.some(Number.isNaN)
  ) {
    throw new InputError({
      code: 'TG-I14',
      what: `TESTGRAD_PRICE "${text}" is not a price.`,
      meaning: 'It is input,output[,cached] in US dollars per million tokens.',
      fix: 'For example: TESTGRAD_PRICE=0.30,1.20,0.03',
    });
  }
  return price(input, cached, output);
}

/** US dollars of one answer; null where the price is not known. */
export function usdOf({ price, usage }: { price: Price | null; usage: AnswerUsage }): number | null {
  if (!price) return null;
  const fresh = usage.inputTokens - usage.cachedTokens;
  return (fresh * price.input + usage.cachedTokens * price.cached + usage.outputTokens * price.output) / 1_000_000;
}
