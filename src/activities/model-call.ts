import { contentKey } from '../artifacts/content-key.js';
import type { ArtifactRef } from '../core/artifact.js';
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

/** Shares of the context to try, one after the other: what the endpoint counts is only known to itself. */
const SHARES = [1, 0.75, 0.5] as const;

/**
 * One logical call of the model: answered from the store when this very request was answered before, else sent once
 * and stored before it counts. Where the endpoint says that the conversation is too long for it, older results give
 * way until it is taken. Throws ModelError TG-M05 when nothing is left to give way.
 */
export async function callModel(call: ModelCall): Promise<{ answer: ChatAnswer; usage: Usage; stored: boolean }> {
  let refusal: unknown;
  let lastTokens = Number.POSITIVE_INFINITY;
  for (const share of SHARES) {
    const { request, tokens } = fitted({ call, share, refusal });
    // Sent again as it was, it would be refused again.
    if (tokens >= lastTokens) continue;
    try {
      return await askOnce({ call, request });
    } catch (error) {
      if (!(error instanceof ModelError && error.code === 'TG-M05')) throw error;
      [refusal, lastTokens] = [error, tokens];
    }
  }
  throw refusal;
}

/** The request with a conversation that fits. What does not fit is the endpoint's `refusal`, where there was one. */
function fitted({ call, share, refusal }: { call: ModelCall; share: number; refusal: unknown }): {
  readonly request: ChatRequest;
  readonly tokens: number;
} {
  const { settings } = call.run;
  const contextTokens = Math.floor(settings.contextTokens * share);
  const { messages, fits, tokens } = trimConversation({
    messages: call.request.messages,
    contextTokens,
    reserveTokens: settings.maxOutputTokens + countTools(call.request.tools ?? []),
  });
  if (!fits) throw refusal ?? tooLong({ tokens, contextTokens });
  return { request: { ...call.request, messages }, tokens };
}

/**
 * A line is written before the request leaves and another when the endpoint refused it. An attempt that finds a
 * request sent and neither refused nor answered follows a crash: that one may be paid twice, and is counted.
 */
async function askOnce({
  call,
  request,
}: {
  call: ModelCall;
  request: ChatRequest;
}): Promise<{ answer: ChatAnswer; usage: Usage; stored: boolean }> {
  const { services, run, role, step, turn } = call;
  const { store } = services;
  const key = contentKey({ request, role, step, turn, seed: run.settings.seed, run: run.runId });
  const kind = 'llm-turn';
  const known = await store.lookup({ kind, key });
  const ledger = `llm-${key}`;
  const unrefused = async (): Promise<number> => {
    const lines = await store.readLedger({ key: ledger });
    return lines.filter((line) => line === SENT).length - lines.filter((line) => line === REFUSED).length;
  };
  /** An answer of another attempt: which of those that were sent it belongs to plays no part, all others may be paid. */
  const answered = async (ref: ArtifactRef): ReturnType<typeof askOnce> => {
    const stored = await getDocument<StoredAnswer>({ store, ref });
    const held = { ...stored, possibleDuplicates: Math.max(stored.possibleDuplicates, (await unrefused()) - 1) };
    return { answer: held.completion, usage: usageOfHeld({ services, request, held }), stored: true };
  };
  if (known !== undefined) return answered(known);

  leaveWhenStopping(services);
  const lost = await unrefused();
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
  // Two attempts at one time must not go on from different answers, and both were paid.
  if (!created) return answered(ref);
  return { answer: completion, usage: usageOfHeld({ services, request, held: own }), stored: false };
}

function tooLong({ tokens, contextTokens }: { tokens: number; contextTokens: number }): ModelError {
  return new ModelError({
    code: 'TG-M05',
    what: `The prompt has about ${tokens} tokens, the model's context ${contextTokens}.`,
    meaning: 'It does not fit even without the results of earlier reading. What was computed is kept.',
    fix: 'Give fewer candidates, or fewer test files (--test-file). A model that takes in more: --context-tokens N.',
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
