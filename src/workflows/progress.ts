import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { LoopState } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import type { Phase, Progress } from '../core/progress.js';
import type { Settings } from '../core/settings.js';
import { totalUsage } from '../core/usage.js';
import { searchAttributePairs } from './search-attributes.js';

/** Keeps the answer of the `progress` query, the UI's current details and the search attributes in step. */
export interface ProgressBoard {
  readonly current: () => Progress;
  readonly update: (change: Partial<Progress>) => void;
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

/** `upsert` is false where the namespace lacks the attributes: an unregistered one stalls a workflow for ever. */
export function progressBoard({
  settings,
  upsert,
  known,
}: {
  settings: Settings;
  upsert: boolean;
  /** Where the run stood when its history was continued as new. */
  known?: Progress | undefined;
}): ProgressBoard {
  let progress: Progress = known ?? { ...START, steps: settings.steps };
  let shown: { phase: Phase; step: number } | null = null;
  return {
    current: () => progress,
    update: (change) => {
      progress = { ...progress, ...change };
      setCurrentDetails(details(progress));
      // Each upsert is an event in the history: only at a new phase or step.
      if (upsert && (shown?.phase !== progress.phase || shown.step !== progress.step)) {
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

function details(progress: Progress): string {
  const names = new Map(progress.candidates.map(({ id, agent }) => [id, agent]));
  const lead = progress.leaders.map((id) => names.get(id) ?? id).join(', ') || 'not known yet';
  return [
    `**${progress.phase}** · y${progress.step} of ${progress.steps} · ${progress.message}`,
    '',
    '| tests | differential | evidence | flaky | failed updates | tokens |',
    '|---|---|---|---|---|---|',
    `| ${progress.rows} | ${progress.differential} | ${progress.evidence} | ${progress.flaky} | ${progress.failedUpdates} | ${progress.tokens} |`,
    '',
    `In the lead: ${lead}`,
    progress.paused ? '\nPaused: send the update `resume` to go on.' : '',
  ].join('\n');
}
