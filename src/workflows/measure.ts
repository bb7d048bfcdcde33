import type { ColumnOutcomes, ScoreSuiteResult } from '../activities/contract.js';
import { BASE } from '../core/candidate.js';
import { counted } from '../core/counted.js';
import { emptyStep, type StepRecord } from '../core/decision.js';
import type { ColumnSpec, LoopState } from '../core/loop-state.js';
import { recordUsage } from '../core/usage.js';
import { forwardPass, scoreSuite } from './forward.js';
import { type LoopInput, type ScoredSuite, subjectOf } from './loop.js';
import { countFiles, progressOf } from './progress.js';
import { suiteSize } from './suite-size.js';

/** Stages 1 and 2 on the suite of `state`: execute, judge what differs, and score. */
export async function measure({ loop, state }: { loop: LoopInput; state: LoopState }): Promise<ScoredSuite> {
  const { call, run, board } = loop;
  const startedMs = Date.now();
  const candidates = loop.columns.filter(({ id }) => id !== BASE).map(({ id }) => id);
  board.update({ phase: 'forward', message: `Running y${state.step} on the candidates`, ...progressOf({ state }) });
  const forward = await forwardPass({
    call,
    run,
    columns: columnsToRun({ loop, state }),
    candidates,
    earlier: state.earlier,
    prepared: state.prepared,
    suite: state.suite,
    step: state.step,
    suiteSize: suiteSize({
      tests: state.tests,
      testFiles: state.testFiles,
      edited: state.steps.find((each) => each.step === state.step)?.operations.length ?? 0,
    }),
    judgements: state.judgements,
    leaders: state.leaders,
    onExecuted: (counts) => countFiles({ board, ...counts }),
  });
  const judged = await judge({ loop, state, scored: forward, outcomes: forward.outcomes, candidates });
  const ran = forward.outcomes
    .filter(({ candidate }) => candidate !== BASE)
    .map((each) => ({ ...each, step: state.step }));
  const next = withStep({
    state: { ...judged.state, earlier: [...ran, ...state.earlier] },
    scored: judged.scored,
    executed: forward.executed,
    reused: forward.reused,
    durationMs: Date.now() - startedMs,
  });
  board.tell({ steps: next.steps, rows: judged.scored.rows ?? [] });
  board.update(progressOf({ state: next, score: judged.scored.score }));
  return { state: next, score: judged.scored.score, matrix: judged.scored.matrix };
}

/** The columns of this step: all of them at y_0, then those that can still win, and the base. */
function columnsToRun({ loop, state }: { loop: LoopInput; state: LoopState }): readonly ColumnSpec[] {
  const { runLeadersOnly, separateLeaders, judgeRows } = loop.run.settings.extensions;
  if (state.step === 0 || !runLeadersOnly || !separateLeaders || !judgeRows) return loop.columns;
  return loop.columns.filter(({ id }) => id === BASE || state.leaders.includes(id));
}

/** Has new differential rows judged against the issue; the same rows are never judged twice. */
async function judge({
  loop,
  state,
  scored,
  outcomes,
  candidates,
}: {
  loop: LoopInput;
  state: LoopState;
  scored: ScoreSuiteResult;
  outcomes: readonly ColumnOutcomes[];
  candidates: readonly string[];
}): Promise<{ state: LoopState; scored: ScoreSuiteResult }> {
  const { call, run, board } = loop;
  const rows = scored.score.unjudged;
  if (!run.settings.extensions.judgeRows || rows.length === 0) return { state, scored };
  const count = counted(rows.length, 'row');
  board.update({ phase: 'judge', message: `Judging ${count} against the issue` });
  const answer = await call({
    activity: 'judgeRows',
    input: { ...subjectOf({ run, state, matrix: scored.matrix }), judgements: state.judgements },
    summary: `y${state.step}: judge ${count}`,
  });
  const usage = recordUsage({ ledger: state.usage, role: 'judge', step: state.step, usage: answer.usage });
  const said = { role: 'judge', step: state.step, conversation: answer.conversation } as const;
  const trail = { ...state.trail, conversations: [...state.trail.conversations, said] };
  const next: LoopState = { ...state, usage, trail, judgements: answer.judgements };
  const again = await scoreSuite({
    call,
    run,
    prepared: state.prepared,
    suite: state.suite,
    step: state.step,
    candidates,
    outcomes,
    earlier: state.earlier,
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
  durationMs,
}: {
  state: LoopState;
  scored: ScoreSuiteResult;
  executed: number;
  reused: number;
  durationMs: number;
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
    durationMs,
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
