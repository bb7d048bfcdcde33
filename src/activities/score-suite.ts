import type { ArtifactStore } from '../artifacts/store.js';
import { buildMatrix, confirmationOf } from '../core/build-matrix.js';
import { BASE } from '../core/candidate.js';
import type { EarlierOutcomes } from '../core/loop-state.js';
import type { Matrix } from '../core/matrix.js';
import type { CandidateOutcomes, StepOutcomes } from '../core/outcome.js';
import { summariseRows } from '../core/row-summary.js';
import { scoreMatrix } from '../core/score.js';
import type { Suite } from '../core/suite.js';
import type { ColumnOutcomes, ScoreSuiteInput, ScoreSuiteResult } from './contract.js';
import { getDocument, type Judgements, type Prepared, putDocument } from './documents.js';
import type { Services } from './services.js';

/** More would only lengthen the history: the report has them all. */
const SHOWN_ROWS = 10;

/** Joins the outcomes of all columns into the matrix of y_t and scores it: stage 2 of the method. */
export async function scoreSuite({
  services,
  input,
}: {
  services: Services;
  input: ScoreSuiteInput;
}): Promise<ScoreSuiteResult> {
  const { store } = services;
  const { settings } = input;
  const suite = await getDocument<Suite>({ store, ref: input.suite });
  const prepared = await getDocument<Prepared>({ store, ref: input.prepared });
  const judgements = input.judgements === null ? {} : await getDocument<Judgements>({ store, ref: input.judgements });
  const runs = (column: ColumnOutcomes): Promise<CandidateOutcomes[]> =>
    Promise.all(column.outcomes.map((ref) => getDocument<CandidateOutcomes>({ store, ref })));
  const columns: Record<string, CandidateOutcomes[]> = {};
  let base: CandidateOutcomes[] = [];
  for (const column of input.columns) {
    if (column.candidate === BASE) base = await runs(column);
    else columns[column.candidate] = await runs(column);
  }
  const matrix: Matrix = buildMatrix({
    suite,
    candidates: input.candidates,
    columns,
    earlier: await earlierRuns({ store, earlier: input.earlier }),
    base,
    judgements,
    reruns: settings.reruns,
    originalTests: new Set(prepared.originalTests),
  });
  const score = scoreMatrix({ matrix, settings, previousLeaders: input.leaders });
  return {
    matrix: await putDocument({ store, value: matrix }),
    // Row keys may be many; the workflow only asks whether there are any.
    score: { ...score, unconfirmed: score.unconfirmed.slice(0, 20), unjudged: score.unjudged.slice(0, 20) },
    confirm: confirmationOf({ matrix, reruns: settings.reruns }),
    rows: summariseRows({ matrix, limit: SHOWN_ROWS }),
  };
}

async function earlierRuns({
  store,
  earlier,
}: {
  store: ArtifactStore;
  earlier: readonly EarlierOutcomes[];
}): Promise<Record<string, StepOutcomes[]>> {
  const byCandidate: Record<string, StepOutcomes[]> = {};
  for (const { candidate, step, outcomes } of earlier) {
    const runs = await Promise.all(outcomes.map((ref) => getDocument<CandidateOutcomes>({ store, ref })));
    byCandidate[candidate] = [...(byCandidate[candidate] ?? []), { step, runs }];
  }
  return byCandidate;
}
