import { emptyStep, type StepRecord } from '../core/decision.js';
import type { LoopEnd, LoopState } from '../core/loop-state.js';
import { progressed } from '../core/score.js';
import { recordUsage } from '../core/usage.js';
import { type BackwardResult, backwardPass } from './backward.js';
import { type LoopInput, type ScoredSuite, subjectOf, tokensLeft } from './loop.js';
import { measure } from './measure.js';
import { progressOf } from './progress.js';
import { remember } from './remember.js';

type Improved =
  | { readonly kind: 'next'; readonly scored: ScoredSuite }
  | { readonly kind: 'end'; readonly end: LoopEnd; readonly scored: ScoredSuite };

/** Stages 3 and 4: the optimizer's update on the scored suite, and the failure memory when it brings nothing. */
export async function improve(input: { loop: LoopInput; scored: ScoredSuite }): Promise<Improved> {
  const startedMs = Date.now();
  const step = input.scored.state.step + 1;
  const improved = await update(input);
  const { state } = improved.scored;
  const durationMs = Date.now() - startedMs;
  const steps = state.steps.map((each) => (each.step === step ? { ...each, durationMs } : each));
  return { ...improved, scored: { ...improved.scored, state: { ...state, steps } } };
}

async function update({ loop, scored }: { loop: LoopInput; scored: ScoredSuite }): Promise<Improved> {
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
    state: {
      ...spoken,
      step,
      suite: edit.suite,
      testFiles: edit.testFiles ?? before.testFiles,
      tests: edit.tests,
      steps: [...spoken.steps, record],
    },
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

function withConversation({ state, backward }: { state: LoopState; backward: BackwardResult }): LoopState['trail'] {
  const { conversation } = backward;
  if (conversation === null) return state.trail;
  const entry = { role: 'optimizer', step: state.step + 1, conversation } as const;
  return { ...state.trail, conversations: [...state.trail.conversations, entry] };
}
