import { condition, setHandler } from '@temporalio/workflow';
import type { ArtifactRef } from '../core/artifact.js';
import type { StepsSoFar } from '../core/loop-state.js';
import {
  matrixQuery,
  momentumQuery,
  pauseUpdate,
  progressQuery,
  resumeUpdate,
  setBudgetUpdate,
  stepsQuery,
  stopAfterIterationUpdate,
} from './messages.js';
import type { ProgressBoard } from './progress.js';

/** What operators asked for that is not part of the progress; goes along when a history is continued as new. */
export interface KnownWishes {
  readonly maxTokens: number;
  readonly stop: boolean;
}

/** What operators asked for; the loop looks at it between steps. */
export interface OperatorWishes {
  readonly maxTokens: () => number;
  readonly stopRequested: () => boolean;
  /** Resolves at once unless the run is paused; a paused one that is to stop is not held either. */
  readonly whilePaused: () => Promise<void>;
  /** All of it, to go on with. */
  readonly known: () => KnownWishes;
}

/**
 * Registers queries and updates. Handlers are synchronous and only set state, so that a replay never depends on their
 * timing; call it before the first await, or early updates are rejected.
 */
export function listenToOperators({
  board,
  known,
  latest,
}: {
  board: ProgressBoard;
  /** The wishes at the start; the pause is on the board. */
  known: KnownWishes;
  latest: () => {
    readonly matrix: ArtifactRef | null;
    readonly momentum: ArtifactRef | null;
    readonly steps: StepsSoFar | null;
  };
}): OperatorWishes {
  let { maxTokens, stop } = known;
  // A run that was continued as new stays paused.
  let { paused } = board.current();
  const pause = (value: boolean) => {
    paused = value;
    board.update({ paused });
    return board.current();
  };

  setHandler(progressQuery, board.current, { description: 'Phase, step, leaders, counts and tokens of this run' });
  setHandler(matrixQuery, () => latest().matrix, { description: 'Reference of the newest matrix in the store' });
  setHandler(momentumQuery, () => latest().momentum, { description: 'Reference of the newest momentum in the store' });
  setHandler(stepsQuery, () => latest().steps, { description: 'Every step so far, with what it changed and cost' });
  setHandler(pauseUpdate, () => pause(true), { description: 'Hold before the next step' });
  setHandler(resumeUpdate, () => pause(false), { description: 'Go on after a pause' });
  setHandler(
    stopAfterIterationUpdate,
    () => {
      stop = true;
      return board.current();
    },
    { description: 'End the loop after this step and decide on what is known' },
  );
  setHandler(
    setBudgetUpdate,
    (wish) => {
      maxTokens = wish.maxTokens;
      return board.current();
    },
    {
      description: 'Change the token budget of the run',
      validator: (wish) => {
        const least = Math.max(1, board.current().tokens);
        if (!Number.isSafeInteger(wish.maxTokens) || wish.maxTokens < least)
          throw new Error(`maxTokens must be a whole number of at least ${least}: what is spent stays spent.`);
      },
    },
  );

  return {
    maxTokens: () => maxTokens,
    stopRequested: () => stop,
    whilePaused: () => condition(() => !paused || stop),
    known: () => ({ maxTokens, stop }),
  };
}
