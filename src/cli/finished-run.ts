import type { ArtifactStore } from '../artifacts/store.js';
import { getJson } from '../artifacts/values.js';
import type { Decision } from '../core/decision.js';
import type { Matrix } from '../core/matrix.js';
import { DECISION_KIND } from '../core/state-folder.js';
import type { Suite } from '../core/suite.js';
import { ResultError } from '../errors.js';
import { buildReport, type ReportModel } from '../report/report-model.js';
import { shortRunId } from '../report/short-run-id.js';
import type { RunRecord } from './run-index.js';

/** A finished run as the store has it. */
export interface FinishedRun {
  readonly decision: Decision;
  readonly matrix: Matrix | null;
  readonly suite: Suite | null;
}

/** The result of a run, or null while there is none. The store answers: a server forgets closed workflows. */
export async function findFinished({
  store,
  runId,
}: {
  store: ArtifactStore;
  runId: string;
}): Promise<FinishedRun | null> {
  const ref = await store.lookup({ kind: DECISION_KIND, key: runId });
  if (ref === undefined) return null;
  return loadFinished({ store, decision: await getJson<Decision>({ store, ref }) });
}

/** Adds what the decision refers to; a matrix or suite that is not in this store is left out. */
export async function loadFinished({
  store,
  decision,
}: {
  store: ArtifactStore;
  decision: Decision;
}): Promise<FinishedRun> {
  const load = async <T>(digest: string | null): Promise<T | null> =>
    digest === null || !(await store.has({ digest })) ? null : getJson<T>({ store, ref: { digest } });
  return {
    decision,
    matrix: await load<Matrix>(decision.artifacts.matrix),
    suite: await load<Suite>(decision.artifacts.suite),
  };
}

/** {@link findFinished} of a run that must be finished; throws TG-R05 when it is not. */
export async function requireFinished({ store, run }: { store: ArtifactStore; run: RunRecord }): Promise<FinishedRun> {
  const finished = await findFinished({ store, runId: run.runId });
  if (finished !== null) return finished;
  const short = shortRunId(run.runId);
  const { why, fix } = {
    select: {
      why: ' yet',
      fix: `testgrad status ${short} says where it stands, testgrad watch ${short} waits for its result.`,
    },
    matrix: { why: ', because it is a matrix', fix: `testgrad watch ${short} prints the matrix.` },
    bench: {
      why: ' of its own, because it is a benchmark',
      fix: `testgrad report ${short} prints its tables; preds.jsonl in its folder has the chosen patches.`,
    },
  }[run.kind];
  throw new ResultError({
    code: 'TG-R05',
    what: `Run ${short} (${run.name}) has no decision${why}.`,
    meaning: 'There is nothing to show or to apply.',
    fix,
  });
}

/** The model of all reports of a finished run. */
export const reportOf = ({ decision, matrix, suite }: FinishedRun): ReportModel =>
  buildReport({ decision, matrix, suite });
