import type { ColumnOutcomes, RunContext, ScoreSuiteResult, TurnSubject } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { StepRecord } from '../core/decision.js';
import type { ColumnSpec, LoopEnd, LoopState } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import { progressed } from '../core/score.js';
import { recordUsage, totalUsage } from '../core/usage.js';
import type { CallActivity } from './activities.js';
import { type BackwardResult, backwardPass } from './backward.js';
import { forwardPass, scoreSuite } from './forward.js';
import type { OperatorWishes } from './operator.js';
import { type ProgressBoard, progressOf } from './progress.js';

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

/** Stages 1 and 2 on the suite of `state`: execute, judge what differs, and score. */
export async function measure({ loop, state }: { loop: LoopInput; state: LoopState }): Promise<ScoredSuite> {
  const { call, run, columns, board } = loop;
  board.update({ phase: 'forward', message: `Running y${state.step} on the candidates`, ...progressOf({ state }) });
  const forward = await forwardPass({
    call,
    run,
    columns,
    prepared: state.prepared,
    suite: state.suite,
    step: state.step,
    judgements: state.judgements,
    leaders: state.leaders,
    onExecuted: ({ executed, reused }) => {
      const { executedFiles, reusedFiles } = board.current();
      board.update({ executedFiles: executedFiles + executed, reusedFiles: reusedFiles + reused });
    },
  });
  const judged = await judge({ loop, state, scored: forward, outcomes: forward.outcomes });
  const next = withStep({
    state: judged.state,
    scored: judged.scored,
    executed: forward.executed,
    reused: forward.reused,
  });
  board.update(progressOf({ state: next, score: judged.scored.score }));
  return { state: next, score: judged.scored.score, matrix: judged.scored.matrix };
}

/** Has new differential rows judged against the issue; the same rows are never judged twice. */
async function judge({
  loop,
  state,
  scored,
  outcomes,
}: {
  loop: LoopInput;
  state: LoopState;
  scored: ScoreSuiteResult;
  outcomes: readonly ColumnOutcomes[];
}): Promise<{ state: LoopState; scored: ScoreSuiteResult }> {
  const { call, run, board } = loop;
  const rows = scored.score.unjudged;
  if (!run.settings.extensions.judgeRows || rows.length === 0) return { state, scored };
  board.update({ phase: 'judge', message: `Judging ${rows.length} differential rows against the issue` });
  const answer = await call({
    activity: 'judgeRows',
    input: { ...subjectOf({ run, state, matrix: scored.matrix }), judgements: state.judgements },
    summary: `y${state.step}: judge ${rows.length} rows`,
  });
  const usage = recordUsage({ ledger: state.usage, role: 'judge', step: state.step, usage: answer.usage });
  const next: LoopState = { ...state, usage, judgements: answer.judgements };
  const again = await scoreSuite({
    call,
    run,
    suite: state.suite,
    step: state.step,
    outcomes,
    judgements: answer.judgements,
    leaders: state.leaders,
  });
  return { state: next, scored: again };
}

function withStep({
  state,
  scored,
  executed,
  reused,
}: {
  state: LoopState;
  scored: ScoreSuiteResult;
  executed: number;
  reused: number;
}): LoopState {
  const { score, matrix } = scored;
  const open = state.steps.find((each) => each.step === state.step);
  const record: StepRecord = {
    ...(open ?? emptyStep(state.step)),
    loss: score.loss,
    leaderLoss: score.leaderLoss,
    leaders: score.leaders,
    differential: score.counts.differential,
    evidence: score.counts.evidence,
    executedFiles: executed,
    reusedFiles: reused,
  };
  return {
    ...state,
    matrix,
    leaders: score.leaders,
    steps: [...state.steps.filter((each) => each.step !== state.step), record],
    trail: {
      ...state.trail,
      suites: [...state.trail.suites, state.suite],
      matrices: [...state.trail.matrices, matrix],
    },
  };
}

/** Why the loop has to end with this suite, or null while it goes on. */
export function loopEnd({ loop, scored }: { loop: LoopInput; scored: ScoredSuite }): LoopEnd | null {
  const { settings } = loop.run;
  const { state, score } = scored;
  if (settings.extensions.separateLeaders ? score.leaders.length <= 1 : score.loss === 0) return 'separated';
  if (loop.wishes.stopRequested()) return 'stopped';
  if (tokensLeft({ loop, state }) <= 0) return 'tokens';
  if (state.step >= settings.steps) return 'steps';
  return null;
}

/** Stages 3 and 4: the optimizer's update on the scored suite, and the failure memory when it brings nothing. */
export async function improve({
  loop,
  scored,
}: {
  loop: LoopInput;
  scored: ScoredSuite;
}): Promise<{ kind: 'next'; scored: ScoredSuite } | { kind: 'end'; end: LoopEnd; scored: ScoredSuite }> {
  const { call, run, board } = loop;
  const before = scored.state;
  board.update({ phase: 'backward', message: `Optimizer works on update ${before.step + 1}`, turn: 0 });
  let usage = before.usage;
  const backward = await backwardPass({
    call,
    columns: loop.columns,
    subject: subjectOf({ run, state: before, matrix: scored.matrix }),
    tokensLeft: () => tokensLeft({ loop, state: { ...before, usage } }),
    onTurn: (turn) => board.update({ turn }),
    onUsage: (spent) => {
      usage = recordUsage({ ledger: usage, role: 'optimizer', step: before.step + 1, usage: spent });
      board.update(progressOf({ state: { ...before, usage } }));
    },
  });
  const spoken: LoopState = { ...before, usage, trail: withConversation({ state: before, backward }) };
  if (backward.kind === 'tokens') return { kind: 'end', end: 'tokens', scored: { ...scored, state: spoken } };
  if (backward.kind === 'equal') {
    const noted = {
      ...spoken,
      warnings: [...spoken.warnings, `The optimizer found the leaders equal: ${backward.reason}`],
    };
    return { kind: 'end', end: 'equal', scored: { ...scored, state: noted } };
  }

  const step = before.step + 1;
  if (backward.kind === 'failed') {
    const record: StepRecord = {
      ...emptyStep(step),
      failedDirection: backward.direction,
      refusals: backward.refusals,
      loss: scored.score.loss,
      leaderLoss: scored.score.leaderLoss,
      leaders: scored.score.leaders,
      differential: scored.score.counts.differential,
      evidence: scored.score.counts.evidence,
    };
    const failed: LoopState = { ...spoken, step, steps: [...spoken.steps, record] };
    const kind = backward.refusals.length > 0 ? 'not-applied' : 'no-update';
    const state = await remember({ loop, state: failed, kind, reason: backward.reason, direction: backward.direction });
    return { kind: 'next', scored: { ...scored, state } };
  }

  const { edit } = backward;
  const record: StepRecord = {
    ...emptyStep(step),
    operations: edit.operations,
    diagnosis: edit.diagnosis,
    failedDirection: edit.failedDirection,
    refusals: backward.refusals,
  };
  const after = await measure({
    loop,
    state: { ...spoken, step, suite: edit.suite, steps: [...spoken.steps, record] },
  });
  if (progressed({ before: scored.score, after: after.score })) {
    return { kind: 'next', scored: { ...after, state: { ...after.state, failedInLead: 0 } } };
  }
  const state = await remember({
    loop,
    state: after.state,
    kind: 'uniform',
    reason: '',
    direction: edit.failedDirection,
  });
  return { kind: 'next', scored: { ...after, state } };
}

async function remember({
  loop,
  state,
  kind,
  reason,
  direction,
}: {
  loop: LoopInput;
  state: LoopState;
  kind: 'uniform' | 'not-applied' | 'no-update';
  reason: string;
  direction: string;
}): Promise<LoopState> {
  loop.board.update({ phase: 'momentum', message: 'Mining the failed updates', ...progressOf({ state }) });
  const mined = await loop.call({
    activity: 'mineMomentum',
    input: {
      ...loop.run,
      prepared: state.prepared,
      step: state.step,
      kind,
      reason,
      direction,
      suite: kind === 'uniform' ? state.suite : null,
      matrix: state.matrix,
      memory: state.memory,
    },
    summary: `m${state.step}: ${state.memory.length + 1} failed updates`,
  });
  const steps = state.steps.map((each) =>
    each.step === state.step ? { ...each, momentumTokens: mined.tokens, rawMemoryTokens: mined.rawTokens } : each,
  );
  return {
    ...state,
    steps,
    memory: mined.memory,
    momentum: mined.momentum,
    failedInLead: state.failedInLead + 1,
    trail: { ...state.trail, momenta: [...state.trail.momenta, mined.momentum] },
  };
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

function tokensLeft({ loop, state }: { loop: LoopInput; state: LoopState }): number {
  const spent = totalUsage(state.usage);
  return loop.wishes.maxTokens() - spent.inputTokens - spent.outputTokens;
}

function withConversation({ state, backward }: { state: LoopState; backward: BackwardResult }): LoopState['trail'] {
  const { conversation } = backward;
  if (conversation === null) return state.trail;
  const entry = { role: 'optimizer', step: state.step + 1, conversation } as const;
  return { ...state.trail, conversations: [...state.trail.conversations, entry] };
}

function emptyStep(step: number): StepRecord {
  return {
    step,
    operations: [],
    diagnosis: '',
    failedDirection: '',
    loss: 1,
    leaderLoss: 1,
    leaders: [],
    differential: 0,
    evidence: 0,
    executedFiles: 0,
    reusedFiles: 0,
    momentumTokens: 0,
    rawMemoryTokens: 0,
    refusals: [],
  };
}
