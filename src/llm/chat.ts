import type { ChatMessage, ToolCall, ToolDefinition } from '../core/chat.js';
import type { LlmRole } from '../core/usage.js';

export type { ChatMessage, ToolCall, ToolDefinition } from '../core/chat.js';

/** What is asked of a model: everything that may change its answer. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Tools on offer; absent or empty for plain text. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Output tokens at most. */
  readonly maxOutputTokens: number;
  /** Sampling temperature, or null to leave it to the endpoint. */
  readonly temperature: number | null;
  /** Sampling seed for endpoints that know one; left out when absent. */
  readonly seed?: number | undefined;
}

/** Why the model stopped writing. */
export type FinishReason = 'stop' | 'tools' | 'length' | 'filter' | 'other';

/** Tokens of one answer as the endpoint counted them, estimated where it does not say. */
export interface AnswerUsage {
  readonly inputTokens: number;
  /** Part of `inputTokens` that the endpoint served from its cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** One answer of a model. */
export interface ChatAnswer {
  /** Text beside the calls; empty when there is none. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: AnswerUsage;
}

/** Where in a run a call stands; recorded sessions find their answers by it. */
export interface CallPosition {
  readonly role: LlmRole;
  readonly step: number;
  readonly turn: number;
  /** The instance, for sessions that hold several (a benchmark); absent for a single run. */
  readonly instance?: string | undefined;
}

/** What a chat model is called with. */
export interface CompletionCall {
  readonly request: ChatRequest;
  readonly position: CallPosition;
  /** Aborts the call; its reason is thrown as it is. */
  readonly signal: AbortSignal;
}

/** An answer, and whether it belongs to a request that differs from the one asked (replay only). */
export type Completion = ChatAnswer & { readonly drifted: boolean };

/** Anything that answers chat requests: an endpoint, a recorded session, or one that records another. */
export interface ChatModel {
  /** Answers once, without retrying. Rejects with a ModelError, or with the signal's reason when aborted. */
  complete(call: CompletionCall): Promise<Completion>;
}
