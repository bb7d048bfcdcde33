import type { ChatMessage } from './chat.js';
import { clipResults } from './clip-results.js';
import { countMessage } from './tokens.js';

/** Results go in groups of this share of the context, so that the prefix, and with it the endpoint's cache, holds for several turns. */
const GROUP_SHARE = 1 / 8;

/** A conversation that was made to fit. */
export interface TrimmedConversation {
  readonly messages: readonly ChatMessage[];
  /** Results that were replaced by a note. */
  readonly removed: number;
  /** Results of the last calls that were cut. */
  readonly clipped: number;
  /** Estimated tokens of `messages`. */
  readonly tokens: number;
  /** False when even without the older results and with the last ones cut it is too long. */
  readonly fits: boolean;
}

/**
 * Replaces the oldest tool results by a one-line note until the conversation fits into `contextTokens - reserveTokens`.
 * Where that is not enough, the longest results of the last calls are cut.
 *
 * System and user messages and the model's own are never touched. Depends on its arguments only: the whole conversation
 * can be kept and trimmed anew for every turn.
 */
export function trimConversation({
  messages,
  contextTokens,
  reserveTokens,
}: {
  messages: readonly ChatMessage[];
  /** Context window of the model. */
  contextTokens: number;
  /** Tokens to leave free for the tools on offer and the answer. */
  reserveTokens: number;
}): TrimmedConversation {
  const limit = contextTokens - reserveTokens;
  const sizes = messages.map(countMessage);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= limit) return { messages, removed: 0, clipped: 0, tokens: total, fits: true };

  const group = Math.max(1, Math.floor(limit * GROUP_SHARE));
  const target = Math.ceil((total - limit) / group) * group;
  const latest = messages.findLastIndex((message) => message.role === 'assistant');
  const trimmed = [...messages];
  let saved = 0;
  let removed = 0;
  for (let at = 0; at < latest && saved < target; at += 1) {
    const message = messages[at];
    if (message?.role !== 'tool') continue;
    const note: ChatMessage = { ...message, content: noteFor({ messages, callId: message.callId }) };
    const gain = (sizes[at] ?? 0) - countMessage(note);
    if (gain <= 0) continue;
    trimmed[at] = note;
    saved += gain;
    removed += 1;
  }
  if (total - saved <= limit) return { messages: trimmed, removed, clipped: 0, tokens: total - saved, fits: true };
  return { removed, ...withLatestCut({ messages: trimmed, latest, tokens: total - saved, limit }) };
}

function withLatestCut({
  messages,
  latest,
  tokens,
  limit,
}: {
  messages: readonly ChatMessage[];
  /** Index of the model's last message. */
  latest: number;
  tokens: number;
  limit: number;
}): Omit<TrimmedConversation, 'removed'> {
  const results = messages.slice(latest + 1).filter((message) => message.role === 'tool');
  const cut = new Map(
    clipResults({ results, excessTokens: tokens - limit }).map((result, index) => [results[index], result]),
  );
  const clipped = messages.map((message) => (message.role === 'tool' ? (cut.get(message) ?? message) : message));
  const now = clipped.reduce((sum, message) => sum + countMessage(message), 0);
  const changed = clipped.filter((message, index) => message !== messages[index]).length;
  return { messages: clipped, clipped: changed, tokens: now, fits: now <= limit };
}

function noteFor({ messages, callId }: { messages: readonly ChatMessage[]; callId: string }): string {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  const call = calls.find(({ id }) => id === callId);
  const what = call ? `${call.name} ${call.argumentsText}`.replace(/\s+/g, ' ').slice(0, 120) : callId;
  return `[The result of ${what} was left out to save space; call it again if you need it.]`;
}
