import type { ColumnOutcomes, RunContext, ScoreSuiteResult } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import { BASE } from '../core/candidate.js';
import { counted } from '../core/counted.js';
import type { ColumnSpec, EarlierOutcomes } from '../core/loop-state.js';
import type { CallActivity } from './activities.js';
import { together } from './together.js';

export interface ForwardInput {
  readonly call: CallActivity;
  readonly run: RunContext;
  readonly prepared: ArtifactRef;
  /** Columns to execute, the base among them. */
  readonly columns: readonly ColumnSpec[];
  /** Candidates of the matrix in the order given. */
  readonly candidates: readonly string[];
  readonly earlier: readonly EarlierOutcomes[];
  readonly suite: ArtifactRef;
  readonly step: number;
  /** What `suite` holds, for those who watch: `212 tests in 3 files`. */
  readonly suiteSize: string;
  readonly judgements: ArtifactRef | null;
  readonly leaders: readonly string[];
  readonly onExecuted: (counts: { executed: number; reused: number }) => void;
}

export interface ForwardResult extends ScoreSuiteResult {
  readonly outcomes: readonly ColumnOutcomes[];
  readonly executed: number;
  readonly reused: number;
}

/**
 * The forward pass of the method: runs y_t on every candidate and on the base, runs rows that seem to separate once
 * more, and scores the matrix. Execution only, no LLM. What the store already knows is not executed.
 */
export async function forwardPass(input: ForwardInput): Promise<ForwardResult> {
  const { call, run, prepared, columns, suite, step } = input;
  let executed = 0;
  let reused = 0;

  const execute = async ({
    column,
    files,
    rerun,
  }: {
    column: ColumnSpec;
    files: readonly string[] | null;
    rerun: number;
  }) => {
    const what = files === null ? input.suiteSize : `${counted(files.length, 'file')} again`;
    const result = await call({
      activity: 'executeSuite',
      input: { ...run, prepared, column, suite, files, rerun },
      summary: `y${step} on ${column.name}: ${what}`,
    });
    executed += result.executed;
    reused += result.reused;
    input.onExecuted({ executed: result.executed, reused: result.reused });
    return result.outcomes;
  };
  const score = (outcomes: readonly ColumnOutcomes[]) => scoreSuite({ ...input, outcomes });

  let outcomes: ColumnOutcomes[] = await together(
    columns.map((column) => async () => ({
      candidate: column.id,
      outcomes: [await execute({ column, files: null, rerun: 0 })],
    })),
  );
  let scored = await score(outcomes);
  for (let rerun = 1; rerun <= run.settings.reruns && scored.confirm.files.length > 0; rerun += 1) {
    const { files, candidates } = scored.confirm;
    outcomes = await together(
      outcomes.map((known) => async () => {
        const column = columns.find((each) => each.id === known.candidate);
        if (column === undefined || column.id === BASE || !candidates.includes(column.id)) return known;
        return { ...known, outcomes: [...known.outcomes, await execute({ column, files, rerun })] };
      }),
    );
    scored = await score(outcomes);
  }
  return { ...scored, outcomes, executed, reused };
}

/** Outcomes → matrix, loss and leaders; also used again after rows were judged. */
export function scoreSuite(input: {
  readonly call: CallActivity;
  readonly run: RunContext;
  readonly prepared: ArtifactRef;
  readonly suite: ArtifactRef;
  readonly step: number;
  readonly candidates: readonly string[];
  readonly outcomes: readonly ColumnOutcomes[];
  readonly earlier: readonly EarlierOutcomes[];
  readonly judgements: ArtifactRef | null;
  readonly leaders: readonly string[];
}): Promise<ScoreSuiteResult> {
  const { call, run, prepared, suite, step, candidates, outcomes, earlier, judgements, leaders } = input;
  return call({
    activity: 'scoreSuite',
    input: { ...run, prepared, suite, candidates, columns: outcomes, earlier, judgements, leaders },
    summary: `loss of y${step}: ${counted(candidates.length, 'candidate')}`,
  });
}
