import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { ArtifactRef } from '../core/artifact.js';
import type { StepsSoFar } from '../core/loop-state.js';
import type { Progress } from '../core/progress.js';

/** Where the run stands. */
export const progressQuery = defineQuery<Progress>('progress');

/** Reference of the newest matrix, or null before the first forward pass. */
export const matrixQuery = defineQuery<ArtifactRef | null>('matrix');

/** Reference of the newest momentum, or null before the first failed update. */
export const momentumQuery = defineQuery<ArtifactRef | null>('momentum');

/** The time line so far, or null before y_0 is scored. */
export const stepsQuery = defineQuery<StepsSoFar | null>('steps');

/** Holds the run before its next step; work in flight is finished. */
export const pauseUpdate = defineUpdate<Progress>('pause');

/** Lets a paused run go on. */
export const resumeUpdate = defineUpdate<Progress>('resume');

/** Ends the loop after the step in work and lets the checker decide on what is known. */
export const stopAfterIterationUpdate = defineUpdate<Progress>('stopAfterIteration');

/** Changes the token budget of the run; at least what is already spent, which ends the loop. */
export const setBudgetUpdate = defineUpdate<Progress, [{ maxTokens: number }]>('setBudget');
