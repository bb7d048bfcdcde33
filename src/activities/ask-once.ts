import type { ChatMessage, ToolDefinition } from '../core/chat.js';
import { addUsage, type LlmRole, NO_USAGE, type Usage } from '../core/usage.js';
import { noCallMessage } from '../methods/testgrad/corrections.js';
import type { RunContext } from './contract.js';
import { withAnswer } from './conversation.js';
import type { Conversation } from './documents.js';
import { callModel } from './model-call.js';
import type { Services } from './services.js';

// The first answer and one correction; a model that fails twice fails again.
const TURNS_AT_MOST = 2;

/**
 * One logical call of a model that has to answer with one tool: an unusable answer is corrected once.
 *
 * `parse` reads the arguments of that tool's call; what it finds `invalid` is told to the model. `parsed` is null when
 * the correction did not help either.
 */
export async function askOnce<Parsed extends { readonly kind: string }>({
  services,
  run,
  role,
  step,
  tool,
  messages: first,
  parse,
}: {
  services: Services;
  run: RunContext;
  role: LlmRole;
  step: number;
  tool: ToolDefinition;
  messages: readonly ChatMessage[];
  parse: (argumentsText: string) => Parsed | { readonly kind: 'invalid'; readonly reason: string };
}): Promise<{ parsed: Parsed | null; usage: Usage; conversation: Conversation }> {
  const { settings } = run;
  const tools = [tool];
  let messages = first;
  let usage = NO_USAGE;
  let conversation: Conversation = { schema: 'testgrad.conversation/1', tools, messages };
  for (let turn = 1; turn <= TURNS_AT_MOST; turn += 1) {
    const { answer, usage: spent } = await callModel({
      services,
      run,
      role,
      step,
      turn,
      request: {
        model: settings.checkerModel,
        messages,
        tools,
        maxOutputTokens: settings.maxOutputTokens,
        temperature: settings.temperature,
      },
    });
    usage = addUsage({ left: usage, right: spent });
    conversation = withAnswer({ tools, messages, answer });
    const call = answer.toolCalls.find(({ name }) => name === tool.name);
    const parsed = call === undefined ? null : parse(call.argumentsText);
    if (parsed !== null && isUsable(parsed)) return { parsed, usage, conversation };
    const reason = parsed === null ? noCallMessage([tool.name]) : parsed.reason;
    // Endpoints refuse a conversation in which a call has no result.
    const results = answer.toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', callId: id, content: reason }));
    const corrections: ChatMessage[] = results.length > 0 ? results : [{ role: 'user', content: reason }];
    messages = [...conversation.messages, ...corrections];
  }
  return { parsed: null, usage, conversation };
}

function isUsable<Parsed extends { readonly kind: string }>(
  answer: Parsed | { readonly kind: 'invalid'; readonly reason: string },
): answer is Parsed {
  return answer.kind !== 'invalid';
}
