import type { Invocation } from '../invocation.js';
import { type Found, ok, problem, type Question, warn } from './check.js';

/** An answer of one word comes sooner; the check as a whole has little more. */
const ANSWER_MS = 4_000;

/** The model's endpoint, asked for one word. */
export function modelQuestion(invocation: Invocation): Question {
  return { name: 'model', look: () => model(invocation) };
}

async function model({ values, env }: Invocation): Promise<Found> {
  const { createModelFromEnvironment } = await import('../../llm/model-from-environment.js');
  const replay = env.TESTGRAD_REPLAY?.trim();
  if (replay) return ok(`answers come from the recorded session ${replay}`);
  // Not recorded: a recording holds what runs asked.
  const { TESTGRAD_RECORD: _, ...endpoint } = env;
  const chat = createModelFromEnvironment({ env: endpoint, timeoutMs: ANSWER_MS });
  const name = values.text('model');
  if (name === undefined) {
    return warn({
      says: 'the endpoint was not asked, because no model is named',
      fix: 'Name it: testgrad doctor --model NAME, TESTGRAD_MODEL, or model: NAME in testgrad.config.yaml.',
      code: 'TG-I14',
    });
  }
  const startedMs = Date.now();
  try {
    await chat.complete({
      request: {
        model: name,
        messages: [{ role: 'user', content: 'Answer with the word ok.' }],
        maxOutputTokens: 16,
        temperature: null,
      },
      position: { role: 'checker', step: 0, turn: 0 },
      signal: AbortSignal.timeout(ANSWER_MS + 200),
    });
  } catch (error) {
    return problem({ error, state: 'fail' });
  }
  const { priceOfModel } = await import('../../llm/prices.js');
  const price = priceOfModel({ model: name, override: env.TESTGRAD_PRICE });
  const says = `${name} answers (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`;
  if (price !== null) return ok(`${says}; $${price.input} in, $${price.output} out per million tokens`);
  return warn({
    says: `${says}; its price is not known`,
    fix: 'Costs are shown as unknown until TESTGRAD_PRICE=in,out[,cached] (US dollars per million tokens) is set.',
  });
}
