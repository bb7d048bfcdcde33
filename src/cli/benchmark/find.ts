import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import { ResultError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import { findRun, type RunRecord } from '../run-index.js';

/** The benchmark that `reference` names. Throws TG-R05 for none, for several, and for a run of one instance. */
export async function findBenchmark({ home, reference }: { home: string; reference: string }): Promise<RunRecord> {
  const record = await findRun({ home, reference });
  if (record.kind === 'bench') return record;
  throw new ResultError({
    code: 'TG-R05',
    what: `Run ${shortRunId(record.runId)} (${record.name}) is a ${record.kind}, not a benchmark.`,
    meaning: 'Nothing was changed.',
    fix: 'testgrad status lists the runs with their kinds.',
  });
}

/** The plan of a benchmark. */
export const planOf = ({ store, record }: { store: ArtifactStore; record: RunRecord }): Promise<BenchmarkPlan> =>
  getJson<BenchmarkPlan>({ store, ref: record.instance });

/** TG-R05 for a benchmark that has no end yet. */
export function notFinished(record: RunRecord): ResultError {
  const short = shortRunId(record.runId);
  return new ResultError({
    code: 'TG-R05',
    what: `Run ${short} (${record.name}) has not ended, or ended with items that were not run.`,
    meaning: 'There is nothing to show yet.',
    fix: `testgrad status ${short} says where it stands, testgrad watch ${short} waits for its end.`,
  });
}
