import type { ChatMessage, ToolCall, ToolDefinition } from '../core/chat.js';
import type { ChatAnswer } from '../llm/chat.js';
import type { Conversation } from './documents.js';

/** A conversation with the model's answer at its end. */
export function withAnswer({
  tools,
  messages,
  answer,
}: {
  tools: readonly ToolDefinition[];
  messages: readonly ChatMessage[];
  answer: ChatAnswer;
}): Conversation {
  const spoken: ChatMessage = { role: 'assistant', content: answer.content, toolCalls: answer.toolCalls };
  return { schema: 'testgrad.conversation/1', tools, messages: [...messages, spoken] };
}

/** The calls of the model's last message. */
export function lastCalls(conversation: Conversation): readonly ToolCall[] {
  const last = conversation.messages.findLast((message) => message.role === 'assistant');
  return last?.role === 'assistant' ? last.toolCalls : [];
}

/** The call with this id in the model's last message; a defect of ours when there is none. */
export function callOf({ conversation, callId }: { conversation: Conversation; callId: string }): ToolCall {
  const call = lastCalls(conversation).find(({ id }) => id === callId);
  if (call === undefined) throw new Error(`The conversation holds no call ${callId}.`);
  return call;
}
