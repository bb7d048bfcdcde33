import type { ArtifactStore } from '../artifacts/store.js';
import { getJson, putJson } from '../artifacts/values.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { PreparedCandidate, UsableCandidate } from '../core/candidate.js';
import type { ChatMessage, ToolDefinition } from '../core/chat.js';
import type { InstanceSpec } from '../core/instance.js';
import type { RowJudgement } from '../core/matrix.js';
import type { TouchedCode } from '../core/momentum/rank-steer.js';

/** What preparation found out; every later activity starts from it. Stored as an artifact. */
export interface Prepared {
  readonly schema: 'testgrad.prepared/1';
  readonly baseTreeId: string;
  readonly candidates: readonly PreparedCandidate[];
  /** Test files that take part in y_0, most relevant first, each with the reason. */
  readonly testFiles: readonly { readonly path: string; readonly reason: string }[];
  /** Top-level modules the candidates touch: every execution reports where they were imported from. */
  readonly probeModules: readonly string[];
  /** What the candidates change in product code; absent in documents of earlier versions. */
  readonly touched?: TouchedCode;
  /** Ids of the tests that the base has in these files, to tell tests that updates add from inherited ones. */
  readonly originalTests: readonly string[];
  readonly warnings: readonly string[];
}

/** A conversation with a model. Stored as an artifact after every turn. */
export interface Conversation {
  readonly schema: 'testgrad.conversation/1';
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly ChatMessage[];
}

/** Judgements by row key. Stored as an artifact. */
export type Judgements = Readonly<Record<string, RowJudgement>>;

/** Stores a document; equal documents have equal digests. */
export function putDocument({ store, value }: { store: ArtifactStore; value: unknown }): Promise<ArtifactRef> {
  return putJson({ store, value });
}

/** Reads a document that one of our own activities wrote. */
export function getDocument<T>({ store, ref }: { store: ArtifactStore; ref: ArtifactRef }): Promise<T> {
  return getJson<T>({ store, ref });
}

/** Reads the instance. */
export const getInstance = ({ store, ref }: { store: ArtifactStore; ref: ArtifactRef }): Promise<InstanceSpec> =>
  getDocument<InstanceSpec>({ store, ref });

/** The usable candidate with this id; a defect of ours when there is none. */
export function usableCandidate({ prepared, id }: { prepared: Prepared; id: string }): UsableCandidate {
  const found = prepared.candidates.find((each) => each.id === id);
  if (found?.kind !== 'usable') throw new Error(`Candidate ${id} is not usable.`);
  return found;
}
