import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type {
  AnswerUsage,
  CallPosition,
  ChatAnswer,
  ChatMessage,
  ChatRequest,
  FinishReason,
  ToolCall,
} from './chat.js';
import { extractCalls, textOfArguments } from './json-protocol.js';
import { countConversation, countTokens } from './tokens.js';

/** Longer names, and other characters in them, are refused with the whole conversation. */
const MAX_NAME_CHARS = 64;

const text = z.string().catch('');
const tokens = z.number().int().nonnegative().optional().catch(undefined);

const wireCall = z.object({
  id: text,
  function: z.object({ name: z.string().trim().min(1), arguments: z.unknown().optional() }),
});

const wireUsage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: tokens }).optional().catch(undefined),
  // DeepSeek names its cache beside the prompt instead of inside its details.
  prompt_cache_hit_tokens: tokens,
});

/** What is read of an answer; whatever else is malformed in it is as if it were not there. */
const wireAnswer = z.object({
  choices: z.tuple(
    [
      z.object({
        message: z.object({
          content: z.unknown().optional(),
          refusal: z.unknown().optional(),
          tool_calls: z.array(z.unknown()).catch([]),
        }),
        finish_reason: text,
      }),
    ],
    z.unknown(),
  ),
  usage: wireUsage.catch({}),
});

type WireUsage = z.infer<typeof wireUsage>;

/** Our messages in the shape of the Chat Completions API. */
export function toWireMessages(messages: readonly ChatMessage[]): ChatCompletionMessageParam[] {
  return messages.map((message) => {
    switch (message.role) {
      case 'tool':
        return { role: 'tool', tool_call_id: message.callId, content: message.content };
      case 'assistant':
        if (message.toolCalls.length === 0) return { role: 'assistant', content: message.content };
        return {
          role: 'assistant',
          content: message.content || null,
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: sendableName(call.name), arguments: sendableArguments(call.argumentsText) },
          })),
        };
      default:
        return { role: message.role, content: message.content };
    }
  });
}

/** Our tools in the shape of the Chat Completions API. */
export function toWireTools(tools: NonNullable<ChatRequest['tools']>): ChatCompletionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: { ...parameters } },
  }));
}

/**
 * Reads an answer of the Chat Completions API; null when it is none.
 *
 * Calls written as JSON into the text count too, calls without a name are left out, ids that are missing or were used
 * before are replaced, and usage that is missing or no count is estimated.
 */
export function fromWire({
  completion,
  request,
  position,
}: {
  /** The body as it came, whatever it is. */
  completion: unknown;
  request: ChatRequest;
  position: CallPosition;
}): ChatAnswer | null {
  const body = wireAnswer.safeParse(completion).data;
  if (body === undefined) return null;
  const [choice] = body.choices;
  const content = textOf(choice.message.content) || textOf(choice.message.refusal);
  const native = choice.message.tool_calls.flatMap((call) => {
    const read = wireCall.safeParse(call).data;
    if (read === undefined) return [];
    const { name, arguments: given } = read.function;
    return [{ id: read.id, name, argumentsText: textOfArguments(given) }];
  });
  const calls = native.length > 0 ? native : extractCalls({ text: content, tools: request.tools ?? [] });
  const toolCalls = withUniqueIds({ calls, request, position });
  return {
    content,
    toolCalls,
    finishReason: finishReasonOf({ reason: choice.finish_reason, called: toolCalls.length > 0 }),
    usage: readUsage({ usage: body.usage, request, content, toolCalls }),
  };
}

const sendableName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, MAX_NAME_CHARS);

/** Endpoints refuse a whole conversation over one earlier call whose arguments are no JSON object. */
function sendableArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Falls through to the wrapped form.
  }
  return JSON.stringify({ malformed: text });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(z.object({ text }).catch({ text: '' })).safeParse(content).data ?? [];
  return parts.map((part) => part.text).join('');
}

function withUniqueIds({
  calls,
  request,
  position,
}: {
  calls: readonly { readonly id?: string; readonly name: string; readonly argumentsText: string }[];
  request: ChatRequest;
  position: CallPosition;
}): ToolCall[] {
  const used = new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
    ),
  );
  return calls.map(({ id: given, name, argumentsText }, index) => {
    const id = given && !used.has(given) ? given : `call_${position.step}_${position.turn}_${index}`;
    used.add(id);
    return { id, name, argumentsText };
  });
}

function finishReasonOf({ reason, called }: { reason: string; called: boolean }): FinishReason {
  if (reason === 'length') return 'length';
  if (reason === 'content_filter') return 'filter';
  if (called) return 'tools';
  return reason === 'stop' || reason === 'tool_calls' ? 'stop' : 'other';
}

function readUsage({
  usage,
  request,
  content,
  toolCalls,
}: {
  usage: WireUsage;
  request: ChatRequest;
  content: string;
  toolCalls: readonly ToolCall[];
}): AnswerUsage {
  const inputTokens = usage.prompt_tokens ?? countConversation(request.messages);
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  const outputTokens =
    usage.completion_tokens ?? countTokens(content + toolCalls.map((call) => call.name + call.argumentsText).join(''));
  return { inputTokens, cachedTokens: Math.min(cached, inputTokens), outputTokens };
}
