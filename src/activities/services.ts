import type { ArtifactStore } from '../artifacts/store.js';
import type { ChatModel } from '../llm/chat.js';

/** What activities work with; put together once per worker process. */
export interface Services {
  readonly store: ArtifactStore;
  /** State folder: store, work folders and runs. */
  readonly home: string;
  /** Made at the first model call, so that a worker without a key can run suites. Throws ModelError. */
  readonly model: () => Promise<ChatModel>;
  /** Price of a call in US dollars, or null where the model's price is not known. */
  readonly priceOf: (call: {
    readonly model: string;
    readonly inputTokens: number;
    readonly cachedTokens: number;
    readonly outputTokens: number;
  }) => number | null;
  /** Aborted when the worker shuts down: suites stop at the next test file. */
  readonly stopping: AbortSignal;
}
