import { getText } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import type { ChatMessage } from '../../core/chat.js';
import type { Ask, AskAnswer } from '../../methods/method.js';
import type { RunContext } from '../contract.js';
import { withAnswer } from '../conversation.js';
import { getInstance, putDocument } from '../documents.js';
import { callModel } from '../model-call.js';
import type { Services } from '../services.js';

/**
 * The way for a method to ask the run's model. `step` and `turn` are the call's position: what tells samples of one
 * prompt apart.
 *
 * A method's own limit of output tokens is raised to the run's: reasoning counts as output, and a model that reasons
 * would be cut before its answer.
 */
export function askOf({
  services,
  run,
  step,
  turn,
}: {
  services: Services;
  run: RunContext;
  step: number;
  turn: number;
}): Ask {
  const { model, maxOutputTokens: atLeast } = run.settings;
  return async ({ messages, tools, maxOutputTokens, temperature }) => {
    const request = { model, messages, tools, temperature, maxOutputTokens: Math.max(maxOutputTokens, atLeast) };
    const { answer, usage } = await callModel({ services, run, role: 'selector', step, turn, request });
    return { content: answer.content, toolCalls: answer.toolCalls, usage };
  };
}

/** Keeps what was asked and answered, as a conversation. */
export function putAsked({
  services,
  messages,
  answer,
}: {
  services: Services;
  messages: readonly ChatMessage[];
  answer: AskAnswer;
}): Promise<ArtifactRef> {
  const spoken = { ...answer, finishReason: 'other', usage: NOT_COUNTED } as const;
  return putDocument({ store: services.store, value: withAnswer({ tools: [], messages, answer: spoken }) });
}

const NOT_COUNTED = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** The issue of a run's instance. */
export async function issueOf({ services, input }: { services: Services; input: RunContext }): Promise<string> {
  return (await getInstance({ store: services.store, ref: input.instance })).issue;
}

/** Patches of candidates as they were given, in the order of these ids. */
export async function givenPatches({
  services,
  input,
  ids,
}: {
  services: Services;
  input: RunContext;
  ids: readonly string[];
}): Promise<string[]> {
  const { store } = services;
  const { candidates } = await getInstance({ store, ref: input.instance });
  return Promise.all(
    ids.map(async (id) => {
      const found = candidates.find((each) => each.id === id);
      if (found === undefined) throw new Error(`The instance has no candidate ${id}.`);
      return getText({ store, ref: found.patch });
    }),
  );
}
