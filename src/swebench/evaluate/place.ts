import type { EvaluationInstance } from '../instance.js';
import type { PlaceLayout } from '../scripts/place.js';

/** How a script in a place ended. */
export type ScriptExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /** Ended from outside by a limit (memory, processes) or a signal. */
  | { readonly kind: 'killed'; readonly reason: string }
  /** Our side: nothing is known about the patch. */
  | { readonly kind: 'broken'; readonly reason: string };

/** What a script in a place left. */
export interface ScriptResult {
  readonly exit: ScriptExit;
  /** Both outputs in the order in which they were written, decoded once with replacement. */
  readonly log: string;
  readonly durationMs: number;
}

/**
 * A fresh checkout of one instance in which a patch is graded: a container of its image, or a folder in a sandbox.
 * Nothing of one place is seen from another, and nothing of it runs after a script has ended.
 */
export interface EvaluationPlace {
  readonly layout: PlaceLayout;
  /** Writes files at absolute paths of the place. */
  readonly put: (files: readonly { readonly path: string; readonly bytes: Uint8Array }[]) => Promise<void>;
  /** Runs `/bin/bash PATH`. Whatever the script does is a result and never an exception. */
  readonly bash: (call: {
    readonly path: string;
    /** Wall time; at expiry everything in the place is killed. */
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  }) => Promise<ScriptResult>;
  /** Removes the place. */
  readonly close: () => Promise<void>;
}

/** Makes a place for an instance. What it throws is told as trouble of ours, never as a wrong patch. */
export type OpenPlace = (input: {
  readonly instance: EvaluationInstance;
  readonly signal: AbortSignal | undefined;
}) => Promise<EvaluationPlace>;
