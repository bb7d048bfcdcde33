import type { ArtifactRef } from './artifact.js';

/** One agent's patch for the instance, as the user gave it. */
export interface CandidateInput {
  /** Stable id inside the instance, `c1`, `c2`, … in the order given. */
  readonly id: string;
  /** Who wrote it; shown to people, never to a model. */
  readonly agent: string;
  /** The patch as given, `text/x-diff`. */
  readonly patch: ArtifactRef;
}

/** Why a candidate takes no part. */
export type ExclusionReason = 'empty' | 'malformed' | 'does-not-apply' | 'tests-only' | 'binary-only';

/** What preparation found out about one candidate. */
export type PreparedCandidate =
  | {
      readonly kind: 'usable';
      readonly id: string;
      readonly agent: string;
      /** Neutral name before a model: `A`, `B`, … in the seeded order. */
      readonly label: string;
      /** Git tree of the base plus the candidate's non-test changes: what is executed. */
      readonly treeId: string;
      /** Id of the first candidate with the same tree; its own id when it is the first. */
      readonly sameAs: string;
      /** The candidate's changes without its test changes, `text/x-diff`: what models see. */
      readonly sourcePatch: ArtifactRef;
      readonly changedFiles: readonly string[];
      /** Test files and runner configuration the candidate touched, put back to the base version. */
      readonly setAside: readonly string[];
      /** How long the two lists are, where they are not complete. */
      readonly counts?: { readonly changedFiles: number; readonly setAside: number };
      readonly added: number;
      readonly removed: number;
    }
  | {
      readonly kind: 'excluded';
      readonly id: string;
      readonly agent: string;
      readonly reason: ExclusionReason;
      /** For a person: what is wrong and where (file, hunk). */
      readonly detail: string;
    };

/** A usable candidate. */
export type UsableCandidate = Extract<PreparedCandidate, { kind: 'usable' }>;

/** Column id of the unpatched base in every matrix. */
export const BASE = 'base';
