/** One call of an offered tool, as the model wrote it. */
export interface ToolCall {
  /** Unique within its conversation; the tool's result names it. */
  readonly id: string;
  readonly name: string;
  /** The arguments as text: JSON when the model kept to the protocol, anything when it did not. */
  readonly argumentsText: string;
}

/** One message of a conversation with a model; JSON-serialisable, so that conversations can be stored. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      /** Id of the call that this is the result of. */
      readonly callId: string;
      readonly content: string;
    };

/** A tool that a model may call. */
export interface ToolDefinition {
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** JSON schema of the arguments, an object schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}
