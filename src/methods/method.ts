import type { ArtifactRef } from '../core/artifact.js';
import type { PreparedCandidate } from '../core/candidate.js';
import type { ChatMessage, ToolCall, ToolDefinition } from '../core/chat.js';
import type { Usage } from '../core/usage.js';

/**
 * The selection methods that can be compared on the same candidates. `oracle` and `adversary` know what is right, and
 * `random` is an expectation: they bound the others and select nothing for use.
 */
export const METHOD_NAMES = [
  'testgrad',
  'augment',
  'agentless',
  'trae',
  'pass-count',
  'single',
  'random',
  'oracle',
  'adversary',
] as const;

/** Name of a selection method. */
export type MethodName = (typeof METHOD_NAMES)[number];

/** What every method starts from. */
export interface MethodInput {
  /** Name of the instance, for people. */
  readonly instance: string;
  /** In the order given, which breaks ties: a candidate's index is its position here, from 0. */
  readonly candidates: readonly PreparedCandidate[];
}

/** Something found out about one candidate, for people. */
export interface MethodEvidence {
  /** Index of the candidate. */
  readonly index: number;
  readonly fact: string;
}

/** What every method answers. Small: a closed workflow reads without a worker. */
export interface MethodResult {
  readonly method: MethodName;
  /** Index of the selected candidate; null when there is none to select, or for an expectation over `among`. */
  readonly index: number | null;
  /** Indices that are equally likely, for a method that is an expectation. */
  readonly among?: readonly number[];
  /** One or two sentences for a person: how it was decided. */
  readonly reason: string;
  readonly evidence: readonly MethodEvidence[];
  readonly usage: Usage;
  /** Why the method's own answer could not be used and a rule chose in its place; null when it was. */
  readonly fallback: string | null;
  /** Conversations behind the answer, in the order in which they began. */
  readonly conversations: readonly ArtifactRef[];
}

/** One call of a model on behalf of a method. */
export interface AskRequest {
  readonly messages: readonly ChatMessage[];
  /** Tools on offer; empty for plain text. */
  readonly tools: readonly ToolDefinition[];
  /** Output tokens at most. */
  readonly maxOutputTokens: number;
  /** Sampling temperature, or null to leave it to the endpoint. */
  readonly temperature: number | null;
  /** Tells samples of one prompt apart, from 0. */
  readonly sample: number;
}

/** A model's answer to a method. */
export interface AskAnswer {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
}

/** Asks a model once. */
export type Ask = (request: AskRequest) => Promise<AskAnswer>;
