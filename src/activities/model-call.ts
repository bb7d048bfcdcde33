import { contentKey } from '../artifacts/content-key.js';
import type { LlmRole, Usage } from '../core/usage.js';
import { ModelError } from '../errors.js';
import { countTools, usageOf } from '../llm/budget.js';
import type { ChatAnswer, ChatRequest, Completion } from '../llm/chat.js';
import { trimConversation } from '../llm/trim.js';
import type { RunContext } from './contract.js';
import { getDocument, putDocument } from './documents.js';
import { activitySignal, leaveWhenStopping } from './owner.js';
import type { Services } from './services.js';

const SENT = 'sent';
const REFUSED = 'refused';

export interface ModelCall {
  readonly services: Services;
  readonly run: RunContext;
  readonly role: LlmRole;
  readonly step: number;
  readonly turn: number;
  readonly request: ChatRequest;
}

interface StoredAnswer {
  readonly completion: Completion;
  readonly possibleDuplicates: number;
}

/**
 * One logical call of the model: answered from the store when this very request was answered before, else sent once
 * and stored before it counts.
 *
 * A line is written before the request leaves and another when the endpoint refused it. An attempt that finds a
 * request sent and neither refused nor answered follows a crash: that one may be paid twice, and is counted.
 */
export async function callModel(call: ModelCall): Promise<{ answer: ChatAnswer; usage: Usage; stored: boolean }> {
  const { services, run, role, step, turn } = call;
  const { store } = services;
  const { settings } = run;
  const { messages, fits, tokens } = trimConversation({
    messages: call.request.messages,
    contextTokens: settings.contextTokens,
    reserveTokens: settings.maxOutputTokens + countTools(call.request.tools ?? []),
  });
  if (!fits) throw tooLong({ tokens, contextTokens: settings.contextTokens });
  const request: ChatRequest = { ...call.request, messages };
  const key = contentKey({ request, role, step, turn, seed: settings.seed, run: run.runId });
  const kind = 'llm-turn';
  const known = await store.lookup({ kind, key });
  if (known !== undefined) {
    const held = await getDocument<StoredAnswer>({ store, ref: known });
    return { answer: held.completion, usage: usageOfHeld({ services, request, held }), stored: true };
  }

  leaveWhenStopping(services);
  const ledger = `llm-${key}`;
  const earlier = await store.readLedger({ key: ledger });
  const lost = earlier.filter((line) => line === SENT).length - earlier.filter((line) => line === REFUSED).length;
  const model = await services.model();
  await store.appendLedger({ key: ledger, line: SENT });
  const completion = await model
    .complete({ request, position: { role, step, turn }, signal: activitySignal() })
    .catch(async (error: unknown) => {
      if (error instanceof ModelError) await store.appendLedger({ key: ledger, line: REFUSED });
      throw error;
    });
  const own: StoredAnswer = { completion, possibleDuplicates: lost };
  const { ref, created } = await store.bind({ kind, key, ref: await putDocument({ store, value: own }) });
  // Two attempts at one time must not go on from different answers.
  const held = created ? own : await getDocument<StoredAnswer>({ store, ref });
  return { answer: held.completion, usage: usageOfHeld({ services, request, held }), stored: !created };
}

function tooLong({ tokens, contextTokens }: { tokens: number; contextTokens: number }): ModelError {
  return new ModelError({
    code: 'TG-M05',
    what: `The prompt has about ${tokens} tokens, the model's context ${contextTokens}.`,
    meaning: 'It does not fit even without the results of earlier reading. What was computed is kept.',
    fix: 'Give fewer candidates, or fewer test files (--test-file).',
  });
}

function usageOfHeld({
  services,
  request,
  held,
}: {
  services: Services;
  request: ChatRequest;
  held: StoredAnswer;
}): Usage {
  const { completion, possibleDuplicates } = held;
  const usage = usageOf({ completion, model: request.model, priceOverride: services.priceOverride });
  return { ...usage, possibleDuplicates };
}
