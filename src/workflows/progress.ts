import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { LoopState } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import type { Phase, Progress } from '../core/progress.js';
import type { Settings } from '../core/settings.js';
import { totalUsage } from '../core/usage.js';
import { currentDetails, type DetailFacts } from './details.js';
import { searchAttributePairs } from './search-attributes.js';

/** Keeps the answer of the `progress` query, the UI's current details and the search attributes in step. */
export interface ProgressBoard {
  readonly current: () => Progress;
  readonly update: (change: Partial<Progress>) => void;
  /** Adds what only the UI's details show. */
  readonly tell: (facts: Partial<DetailFacts>) => void;
}

const START: Omit<Progress, 'steps'> = {
  phase: 'prepare',
  message: 'Preparing the candidates',
  step: 0,
  turn: 0,
  candidates: [],
  leaders: [],
  rows: 0,
  differential: 0,
  evidence: 0,
  flaky: 0,
  failedUpdates: 0,
  executedFiles: 0,
  reusedFiles: 0,
  tokens: 0,
  usd: 0,
  possibleDuplicates: 0,
  paused: false,
};

/** How often the search attributes of a run are brought up to date; each time is an event and a write of visibility. */
export type AttributeRhythm = 'phase' | 'step';

/** `upsert` is false where the namespace lacks the attributes: an unregistered one stalls a workflow for ever. */
export function progressBoard({
  settings,
  upsert,
  rhythm = 'phase',
  known,
}: {
  settings: Settings;
  upsert: boolean;
  rhythm?: AttributeRhythm | undefined;
  /** Where the run stood when its history was continued as new. */
  known?: Progress | undefined;
}): ProgressBoard {
  let progress: Progress = known ?? { ...START, steps: settings.steps };
  let facts: DetailFacts = { steps: [], rows: [] };
  let shown: { phase: Phase; step: number } | null = null;
  return {
    current: () => progress,
    tell: (more) => {
      facts = { ...facts, ...more };
      setCurrentDetails(currentDetails({ progress, facts }));
    },
    update: (change) => {
      progress = { ...progress, ...change };
      setCurrentDetails(currentDetails({ progress, facts }));
      const isNew = shown?.step !== progress.step || (rhythm === 'phase' && shown.phase !== progress.phase);
      if (upsert && isNew) {
        shown = { phase: progress.phase, step: progress.step };
        upsertSearchAttributes(searchAttributePairs({ progress }));
      }
    },
  };
}

/** Adds test files that were run, or known already, to what the board shows. */
export function countFiles({
  board,
  executed,
  reused,
}: {
  board: ProgressBoard;
  executed: number;
  reused: number;
}): void {
  const { executedFiles, reusedFiles } = board.current();
  board.update({ executedFiles: executedFiles + executed, reusedFiles: reusedFiles + reused });
}

/** The part of the progress that follows from what the loop knows. */
export function progressOf({ state, score }: { state: LoopState; score?: Score }): Partial<Progress> {
  const usage = totalUsage(state.usage);
  return {
    step: state.step,
    leaders: state.leaders,
    failedUpdates: state.memory.length,
    tokens: usage.inputTokens + usage.outputTokens,
    usd: usage.usd,
    possibleDuplicates: usage.possibleDuplicates,
    ...(score && {
      rows: score.counts.rows,
      differential: score.counts.differential,
      evidence: score.counts.evidence,
      flaky: score.counts.flaky,
    }),
  };
}
