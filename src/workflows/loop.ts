import type { RunContext, TurnSubject } from '../activities/contract.js';
import { partsOf } from '../core/ablation.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { ColumnSpec, LoopEnd, LoopState } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import { totalUsage } from '../core/usage.js';
import type { CallActivity } from './activities.js';
import type { OperatorWishes } from './operator.js';
import type { ProgressBoard } from './progress.js';

/** What every stage of the loop works with. */
export interface LoopInput {
  readonly call: CallActivity;
  readonly run: RunContext;
  readonly columns: readonly ColumnSpec[];
  readonly board: ProgressBoard;
  readonly wishes: OperatorWishes;
}

/** y_t with its score. */
export interface ScoredSuite {
  readonly state: LoopState;
  readonly score: Score;
  readonly matrix: ArtifactRef;
}

/** Why the loop has to end with this suite, or null while it goes on. */
export function loopEnd({ loop, scored }: { loop: LoopInput; scored: ScoredSuite }): LoopEnd | null {
  const { settings } = loop.run;
  const { state, score } = scored;
  const followsLeaders = settings.extensions.separateLeaders || partsOf(settings).objective === 'pass-count';
  if (followsLeaders ? score.leaders.length <= 1 : score.loss === 0) return 'separated';
  if (loop.wishes.stopRequested()) return 'stopped';
  if (tokensLeft({ loop, state }) <= 0) return 'tokens';
  if (state.step >= settings.steps) return 'steps';
  return null;
}

/** The references from which prompts are built. */
export function subjectOf({
  run,
  state,
  matrix,
}: {
  run: RunContext;
  state: LoopState;
  matrix: ArtifactRef;
}): TurnSubject {
  const { prepared, suite, momentum, leaders, step, failedInLead } = state;
  return { ...run, step, prepared, suite, matrix, momentum, leaders, failedInLead };
}

/** Tokens that the run may still spend; operators may change the budget at any time. */
export function tokensLeft({ loop, state }: { loop: LoopInput; state: LoopState }): number {
  const spent = totalUsage(state.usage);
  return loop.wishes.maxTokens() - spent.inputTokens - spent.outputTokens;
}
