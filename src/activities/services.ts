import type { ArtifactStore } from '../artifacts/store.js';
import type { ChatModel } from '../llm/chat.js';
import type { WorkspacePool } from './workspace-pool.js';

/** What activities work with; put together once per worker process. */
export interface Services {
  readonly store: ArtifactStore;
  /** State folder: store, work folders and runs. */
  readonly home: string;
  /** Copies of trees that wait for their next execution. */
  readonly workspaces: WorkspacePool;
  /** Made at the first model call, so that a worker without a key can run suites. Throws ModelError. */
  readonly model: () => Promise<ChatModel>;
  /** TESTGRAD_PRICE of the worker's environment: `input,output[,cached]` in US dollars per million tokens. */
  readonly priceOverride: string | undefined;
  /** Aborted when the worker shuts down: suites stop at the next test file, and no call of the model is begun. */
  readonly stopping: AbortSignal;
}
