import type { ArtifactRef } from './artifact.js';
import type { PreparedCandidate, UsableCandidate } from './candidate.js';
import type { StepRecord } from './decision.js';
import type { LlmRole, UsageLedger } from './usage.js';

/** One column of the matrix: a candidate, or the base. */
export interface ColumnSpec {
  /** Candidate id, or `base`. */
  readonly id: string;
  readonly treeId: string;
  /** For people: the agent, or `base`. */
  readonly name: string;
}

/** References to everything that the run folder shows. */
export interface RunTrail {
  readonly suites: readonly ArtifactRef[];
  readonly matrices: readonly ArtifactRef[];
  readonly momenta: readonly ArtifactRef[];
  readonly conversations: readonly {
    readonly role: LlmRole;
    readonly step: number;
    readonly conversation: ArtifactRef;
  }[];
}

/** Executions of one candidate at an earlier step, as references to CandidateOutcomes: the first, then its reruns. */
export interface EarlierOutcomes {
  readonly candidate: string;
  readonly step: number;
  readonly outcomes: readonly ArtifactRef[];
}

/** The steps of a run in work, for those who watch it: the answer of its query `steps`. */
export interface StepsSoFar {
  readonly candidates: readonly PreparedCandidate[];
  readonly steps: readonly StepRecord[];
  readonly usage: UsageLedger;
  /** The suite of the last step. */
  readonly suite: ArtifactRef;
  /** Mined after failed updates, in the order of their steps. */
  readonly momenta: readonly ArtifactRef[];
}

/** Why the loop ended. */
export type LoopEnd = 'separated' | 'equal' | 'steps' | 'tokens' | 'stopped' | 'not-needed';

/** All that the loop knows between two steps; small, and carried over when a history is continued as new. */
export interface LoopState {
  readonly prepared: ArtifactRef;
  readonly candidates: readonly PreparedCandidate[];
  readonly warnings: readonly string[];
  /** t of `suite`. */
  readonly step: number;
  readonly suite: ArtifactRef;
  /** Test files of `suite`; absent in states of older workers. */
  readonly testFiles?: number | undefined;
  /** Tests of `suite` on the base, each parametrisation counted; absent in states of older workers. */
  readonly tests?: number | undefined;
  readonly matrix: ArtifactRef | null;
  readonly judgements: ArtifactRef | null;
  /** The latest step first. */
  readonly earlier: readonly EarlierOutcomes[];
  readonly leaders: readonly string[];
  readonly memory: readonly ArtifactRef[];
  readonly momentum: ArtifactRef | null;
  /** Failed updates since the leading group last got smaller. */
  readonly failedInLead: number;
  readonly steps: readonly StepRecord[];
  readonly usage: UsageLedger;
  readonly trail: RunTrail;
}

/** What those who watch are told of a state. */
export const stepsSoFar = ({ candidates, steps, usage, suite, trail }: LoopState): StepsSoFar => ({
  candidates,
  steps,
  usage,
  suite,
  momenta: trail.momenta,
});

/** The first candidate of each class of identical trees: what is executed, judged and chosen among. */
export function representatives(candidates: readonly PreparedCandidate[]): UsableCandidate[] {
  return candidates.filter((each) => each.kind === 'usable').filter((each) => each.sameAs === each.id);
}
