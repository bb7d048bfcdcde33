import type { PatchForm } from './patch-form.js';

/** One set of predictions as it was named: `NAME=PATH`. */
export interface PredictionSource {
  /** Name of the agent in reports; of several candidates in one file, what their names begin with. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** As it was given, for messages. */
  readonly given: string;
}

/** How a source holds its predictions. */
export type SourceLayout =
  /** JSONL, a JSON list, or a JSON object by id, with one patch a row. */
  | 'rows'
  /** Several candidates a row: Augment's `diffs`. */
  | 'augment'
  /** Several candidates a row: TRAE's `patches`. */
  | 'trae'
  /** A folder of a leaderboard submission. */
  | 'submission'
  /** A folder of `ID.diff` or `ID.patch`, or of `ID/patch.diff`. */
  | 'diffs';

/** One patch as it was read; says nothing of whether it is right. */
export interface Prediction {
  readonly kind: 'prediction';
  readonly instanceId: string;
  /** 0-based place among the candidates of its row; null where a row holds one. */
  readonly position: number | null;
  readonly patch: Uint8Array;
  readonly form: PatchForm;
  readonly place: string;
}

/** What a source yields: predictions, and what could not be read. */
export type PredictionItem =
  | Prediction
  | { readonly kind: 'malformed'; readonly place: string; readonly problem: string }
  /** A row that is JSON and has none of the known sets of fields. */
  | { readonly kind: 'other-fields'; readonly place: string; readonly fields: readonly string[] };
