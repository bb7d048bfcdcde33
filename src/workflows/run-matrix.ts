import type { RunContext } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { PreparedCandidate } from '../core/candidate.js';
import { representatives } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import { activityCaller } from './activities.js';
import { forwardPass } from './forward.js';
import { listenToOperators } from './operator.js';
import { countFiles, progressBoard } from './progress.js';
import { release } from './release.js';
import { columnsOf, prepare, type SelectPatchInput } from './select-patch.js';
import { suiteSize } from './suite-size.js';

export interface MatrixRun {
  readonly matrix: ArtifactRef;
  readonly candidates: readonly PreparedCandidate[];
  readonly score: Score;
  readonly warnings: readonly string[];
}

/** Runs the tests as they are on every candidate, without an LLM: y_0 and its matrix. */
export async function runMatrix(input: SelectPatchInput): Promise<MatrixRun> {
  const { runId, instance, settings, taskQueue } = input;
  const run: RunContext = { runId, instance, settings };
  const call = activityCaller({ taskQueue });
  const board = progressBoard({ settings, upsert: input.upsertSearchAttributes });
  let latest: ArtifactRef | null = null;
  listenToOperators({
    board,
    known: { maxTokens: settings.maxTokens, stop: false },
    latest: () => ({ matrix: latest, momentum: null, steps: null }),
  });
  try {
    const { state, baseTreeId } = await prepare({ call, run, board });
    board.update({ phase: 'forward', message: 'Running the tests on the candidates' });
    const forward = await forwardPass({
      call,
      run,
      columns: columnsOf({ state, baseTreeId }),
      candidates: representatives(state.candidates).map(({ id }) => id),
      earlier: [],
      prepared: state.prepared,
      suite: state.suite,
      step: 0,
      suiteSize: suiteSize({ tests: state.tests, testFiles: state.testFiles, edited: 0 }),
      judgements: null,
      leaders: state.leaders,
      onExecuted: (counts) => countFiles({ board, ...counts }),
    });
    latest = forward.matrix;
    const { rows, differential, flaky } = forward.score.counts;
    board.update({ phase: 'done', message: 'The matrix is there', rows, differential, flaky });
    return { matrix: forward.matrix, candidates: state.candidates, score: forward.score, warnings: state.warnings };
  } finally {
    await release({ call, run });
  }
}
