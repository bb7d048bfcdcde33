import { describe, expect, it } from 'vitest';
import { countTools, usageOf } from '../../src/llm/budget.js';
import { parsePrice, priceOfModel } from '../../src/llm/prices.js';

describe('the price of a model', () => {
  it.each(['gpt-4.1-mini', 'GPT-4.1-mini', 'openai/gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'])(
    'is found for %s',
    (model) => {
      expect(priceOfModel({ model })).toEqual({ input: 0.4, cached: 0.1, output: 1.6 });
    },
  );

  it.each(['gpt-4.1-mega', 'my-model', '', 'constructor', 'gpt-4.1-mini-finetuned'])('is unknown for %s', (model) => {
    expect(priceOfModel({ model })).toBeNull();
  });

  it('can be given: input,output[,cached]', () => {
    expect(priceOfModel({ model: 'gpt-4o', override: '0.30, 1.20, 0.03' })).toEqual({
      input: 0.3,
      output: 1.2,
      cached: 0.03,
    });
    expect(parsePrice('2,8')).toEqual({ input: 2, output: 8, cached: 2 });
    expect(priceOfModel({ model: 'my-model', override: ' ' })).toBeNull();
  });

  it.each(['2', '2,8,1,1', 'a,b', '-1,2', '1,,2', '1e3,2', '1,2,'])('refuses %s', (text) => {
    expect(() => parsePrice(text)).toThrow(/TG-I14/);
  });
});

describe('usage', () => {
  const completion = {
    content: '',
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 },
    drifted: true,
  } as const;

  it('is priced with cached input apart', () => {
    expect(usageOf({ completion, model: 'x', priceOverride: '2,8,0.5' })).toEqual({
      calls: 1,
      inputTokens: 1_000_000,
      cachedTokens: 400_000,
      outputTokens: 100_000,
      usd: 0.6 * 2 + 0.4 * 0.5 + 0.1 * 8,
      possibleDuplicates: 0,
      drifted: 1,
    });
  });

  it('has no price where none is known', () => {
    expect(usageOf({ completion: { ...completion, drifted: false }, model: 'x' })).toMatchObject({
      usd: null,
      drifted: 0,
    });
  });

  it('knows what the tools on offer add to a prompt', () => {
    const tools = [{ name: 'f', description: ' word'.repeat(50), parameters: { type: 'object' } }];
    expect(countTools([])).toBe(0);
    expect(countTools(tools)).toBeGreaterThan(50);
    expect(countTools(tools)).toBeLessThan(90);
  });
});
