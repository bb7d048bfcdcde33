import type { ChatMessage } from '../../core/chat.js';
import type { Ask, AskAnswer } from '../method.js';
import { readReport } from './report.js';
import { selectorTools } from './tools.js';

/** Output tokens and temperature of a turn, as in the published example. */
const TRAE_OUTPUT_TOKENS = 4096;
const TRAE_TEMPERATURE = 0.5;

// An answer with more is one that has lost its way.
const CALLS_AT_MOST = 8;

/** How a turn of the selector ended. */
export type SelectorTurnEnd =
  | { readonly kind: 'choice'; readonly number: number | null }
  /** Tool calls to be run, in this order; a few at most. */
  | { readonly kind: 'calls'; readonly calls: readonly { readonly callId: string; readonly tool: string }[] }
  | { readonly kind: 'unfinished' }
  /** Neither a report nor a call: the published selector breaks off and starts the attempt again. */
  | { readonly kind: 'nothing' };

/**
 * One turn of TRAE's selector. `messages` end with what the model has not seen yet; `sample` tells votes and attempts
 * apart, whose first turns are the same. A report counts before calls that stand beside it.
 */
export async function selectorTurn({
  messages,
  patches,
  sample,
  ask,
}: {
  messages: readonly ChatMessage[];
  /** How many patches are shown. */
  patches: number;
  sample: number;
  ask: Ask;
}): Promise<{ end: SelectorTurnEnd; answer: AskAnswer; messages: readonly ChatMessage[] }> {
  const answer = await ask({
    messages,
    tools: selectorTools(),
    maxOutputTokens: TRAE_OUTPUT_TOKENS,
    temperature: TRAE_TEMPERATURE,
    sample,
  });
  const spoken: ChatMessage = { role: 'assistant', content: answer.content, toolCalls: answer.toolCalls };
  return { end: endOf({ answer, patches }), answer, messages: [...messages, spoken] };
}

function endOf({ answer, patches }: { answer: AskAnswer; patches: number }): SelectorTurnEnd {
  const report = readReport({ text: answer.content, patches });
  if (report.kind === 'choice') return report;
  if (answer.toolCalls.length > 0) {
    const run = answer.toolCalls.slice(0, CALLS_AT_MOST);
    return { kind: 'calls', calls: run.map(({ id, name }) => ({ callId: id, tool: name.slice(0, 40) })) };
  }
  return { kind: report.kind === 'unfinished' ? 'unfinished' : 'nothing' };
}

/**
 * A conversation with what the model has to see next: the results of its calls by their ids, or a word to go on where
 * there was none. The published selector sends its request again unchanged then; endpoints want a turn of the user.
 */
export function continued({
  messages,
  results,
}: {
  messages: readonly ChatMessage[];
  results: ReadonlyMap<string, string>;
}): ChatMessage[] {
  const last = messages.at(-1);
  const calls = last?.role === 'assistant' ? last.toolCalls : [];
  if (calls.length === 0) return [...messages, { role: 'user', content: 'Go on.' }];
  const answers = calls.map(({ id }): ChatMessage => {
    // Endpoints refuse a conversation in which a call has no result.
    const content = results.get(id) ?? `Not run: at most ${CALLS_AT_MOST} calls an answer.`;
    return { role: 'tool', callId: id, content };
  });
  return [...messages, ...answers];
}
