import { getText } from '../../artifacts/values.js';
import { selectorMessages } from '../../methods/trae/prompt.js';
import { selectorTools } from '../../methods/trae/tools.js';
import { continued, selectorTurn as takeTurn } from '../../methods/trae/turn.js';
import { type Conversation, getDocument, getInstance, putDocument } from '../documents.js';
import type { MethodActivities, SelectorTurnInput } from '../method-contract.js';
import type { Services } from '../services.js';
import { askOf, givenPatches } from './ask.js';

/** One turn of TRAE's selector. The conversation lives in the store; only its reference travels. */
export async function selectorTurn({
  services,
  input,
}: {
  services: Services;
  input: SelectorTurnInput;
}): ReturnType<MethodActivities['selectorTurn']> {
  const { store } = services;
  const { end, answer, messages } = await takeTurn({
    messages: await messagesOf({ services, input }),
    patches: input.shown.length,
    sample: input.run,
    ask: askOf({ services, run: input, step: input.run, turn: input.turn }),
  });
  const conversation: Conversation = { schema: 'testgrad.conversation/1', tools: selectorTools(), messages };
  return { end, conversation: await putDocument({ store, value: conversation }), usage: answer.usage };
}

async function messagesOf({ services, input }: { services: Services; input: SelectorTurnInput }) {
  const { store } = services;
  if (input.conversation === null) {
    const { issue, repository } = await getInstance({ store, ref: input.instance });
    const diffs = await givenPatches({ services, input, ids: input.shown });
    return selectorMessages({ issue, repositoryPath: repository.path, diffs });
  }
  const { messages } = await getDocument<Conversation>({ store, ref: input.conversation });
  const results = await Promise.all(
    input.results.map(async ({ callId, result }) => [callId, await getText({ store, ref: result })] as const),
  );
  return continued({ messages, results: new Map(results) });
}
