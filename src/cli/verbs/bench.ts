import { resolve } from 'node:path';
import { predictionSources } from '../../swebench/predictions/prediction-sources.js';
import { buildBenchmark } from '../benchmark/build-benchmark.js';
import { printDryRun } from '../benchmark/dry-run.js';
import { findFinishedBenchmark, finishBenchmarkRun, printBenchmark } from '../benchmark/finish.js';
import { benchmarkAbout, budgetOf, startBenchmark } from '../benchmark/start-benchmark.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, makeHome, openStore } from '../places.js';
import { benchmarkRunIdOf } from '../run-identity.js';
import { keepRecord } from '../run-index.js';

/**
 * `testgrad bench`: many instances, one patch each. The same inputs are the same run: a finished one is printed from the
 * store without a server or a model, one in work is attached to, any other goes on with what has no result.
 */
export async function bench(invocation: Invocation): Promise<number> {
  const home = homeFolder(invocation);
  const budget = budgetOf(invocation);
  await makeHome(home);
  const store = await openStore(home);
  const built = await buildBenchmark({ invocation, store });
  if (invocation.values.on('dryRun')) return printDryRun({ invocation, store, built });
  const { plan, ref } = built;
  const runId = benchmarkRunIdOf(ref);
  const results = resultsOf(invocation);
  const end = await findFinishedBenchmark({ store, runId });
  if (end !== null) {
    const about = benchmarkAbout({ runId, plan, planRef: ref, budget, results });
    const record = await keepRecord({ home, about, start: null });
    return printBenchmark({ invocation, home, store, record, end });
  }
  const started = await startBenchmark({ invocation, home, store, plan, planRef: ref, results });
  return finishBenchmarkRun({ invocation, home, store, started });
}

/** Known results with absolute paths, so that they are found from another folder; undefined keeps those remembered. */
function resultsOf({ values, cwd }: Invocation): string[] | undefined {
  const given = values.texts('results');
  if (given.length === 0) return undefined;
  return predictionSources({ given, cwd }).map(({ name, path }) => `${name}=${resolve(cwd, path)}`);
}
