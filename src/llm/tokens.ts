import { createRequire } from 'node:module';
import type { ChatMessage } from './chat.js';

/** Longer runs without a break cost quadratic time; cutting them moves the count by a token at most. */
const CHUNK_CHARS = 2000;

/** What a message costs beside its text. */
const MESSAGE_OVERHEAD_TOKENS = 4;

let encoder: ((text: string, options: { disallowedSpecial: Set<string> }) => number) | undefined;

/**
 * Estimates the tokens of a text (o200k_base). Accounting uses what the endpoint reports; this plans ahead of it.
 * Loads its table on first use, about 150 ms.
 */
export function countTokens(text: string): number {
  encoder ??= (
    createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as {
      countTokens: NonNullable<typeof encoder>;
    }
  ).countTokens;
  // Text of a repository may hold special tokens; here they are text like any other.
  const disallowedSpecial = new Set<string>();
  let total = 0;
  for (let start = 0; start < text.length; start += CHUNK_CHARS) {
    total += encoder(text.slice(start, start + CHUNK_CHARS), { disallowedSpecial });
  }
  return total;
}

/** Estimated tokens of one message, its calls included. */
export function countMessage(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  const text = message.content + calls.map((call) => `${call.name} ${call.argumentsText}`).join('\n');
  return MESSAGE_OVERHEAD_TOKENS + countTokens(text);
}

/** Estimated tokens of a whole conversation, without the tools on offer. */
export const countConversation = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, message) => sum + countMessage(message), 0);
