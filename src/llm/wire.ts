import type { ChatCompletion, ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type {
  AnswerUsage,
  CallPosition,
  ChatAnswer,
  ChatMessage,
  ChatRequest,
  FinishReason,
  ToolCall,
} from './chat.js';
import { extractCalls } from './json-protocol.js';
import { countConversation, countTokens } from './tokens.js';

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
            function: { name: call.name, arguments: sendableArguments(call.argumentsText) },
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
 * Calls written as JSON into the text count too, ids that are missing or were used before are replaced, and usage
 * that is missing is estimated.
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
  if (typeof completion !== 'object' || completion === null) return null;
  const body = completion as Partial<ChatCompletion>;
  const choice = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!choice || typeof choice.message !== 'object' || choice.message === null) return null;
  const content = textOf(choice.message.content) || textOf(choice.message.refusal);
  const native = (choice.message.tool_calls ?? []).flatMap((call) =>
    call.type === 'custom' || !call.function ? [] : [{ id: call.id, ...readFunction(call.function) }],
  );
  const calls = native.length > 0 ? native : extractCalls({ text: content, tools: request.tools ?? [] });
  const toolCalls = withUniqueIds({ calls, request, position });
  return {
    content,
    toolCalls,
    finishReason: finishReasonOf({ reason: choice.finish_reason, called: toolCalls.length > 0 }),
    usage: readUsage({ body, request, content, toolCalls }),
  };
}

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
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => String((part as { text?: unknown } | null)?.text ?? '')).join('');
}

/** Some endpoints send the arguments as an object instead of its text. */
const readFunction = ({ name, arguments: given }: { name: string; arguments: unknown }) => ({
  name,
  argumentsText: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
});

function withUniqueIds({
  calls,
  request,
  position,
}: {
  calls: readonly { readonly id?: string | undefined; readonly name: string; readonly argumentsText: string }[];
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

function finishReasonOf({ reason, called }: { reason: string | null | undefined; called: boolean }): FinishReason {
  if (reason === 'length') return 'length';
  if (reason === 'content_filter') return 'filter';
  if (called) return 'tools';
  return reason === 'stop' || reason === 'tool_calls' ? 'stop' : 'other';
}

function readUsage({
  body,
  request,
  content,
  toolCalls,
}: {
  body: Partial<ChatCompletion>;
  request: ChatRequest;
  content: string;
  toolCalls: readonly ToolCall[];
}): AnswerUsage {
  const { usage } = body;
  const inputTokens = usage?.prompt_tokens ?? countConversation(request.messages);
  // DeepSeek names its cache beside the prompt instead of inside its details.
  const cached =
    usage?.prompt_tokens_details?.cached_tokens ??
    (usage as { prompt_cache_hit_tokens?: number } | undefined)?.prompt_cache_hit_tokens ??
    0;
  const outputTokens =
    usage?.completion_tokens ?? countTokens(content + toolCalls.map((call) => call.name + call.argumentsText).join(''));
  return { inputTokens, cachedTokens: Math.min(cached, inputTokens), outputTokens };
}
