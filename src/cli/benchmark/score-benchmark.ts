import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import type { BenchmarkEnd } from '../../core/benchmark-result.js';
import { collectKnownResults } from '../../swebench/predictions/known-results.js';
import { predictionSources } from '../../swebench/predictions/prediction-sources.js';
import { runFolder } from '../places.js';
import type { RunRecord } from '../run-index.js';
import { type WrittenBenchmark, writeBenchmark } from './outputs.js';
import type { Known } from './records.js';

/** Reads known results, for scoring a run that has ended. */
export async function knownOf({
  record,
  plan,
  cwd,
}: {
  record: Pick<RunRecord, 'results'>;
  plan: BenchmarkPlan;
  cwd: string;
}): Promise<Known> {
  const { results } = record;
  if (results === undefined || results.length === 0) return () => 'unknown';
  const sources = predictionSources({ given: results, cwd });
  const known = await collectKnownResults({ sources, agents: plan.agents });
  return (candidate) => known.of(candidate);
}

/** Scores a benchmark and writes its files into its folder. */
export async function scoreBenchmark({
  home,
  cwd,
  store,
  record,
  end,
}: {
  home: string;
  cwd: string;
  store: ArtifactStore;
  record: RunRecord;
  end: BenchmarkEnd;
}): Promise<WrittenBenchmark & { readonly plan: BenchmarkPlan }> {
  const plan = await getJson<BenchmarkPlan>({ store, ref: record.instance });
  const known = await knownOf({ record, plan, cwd });
  const folder = runFolder({ home, runId: record.runId });
  return { ...(await writeBenchmark({ store, plan, end, known, folder })), plan };
}
