import { attemptLedger } from '../../core/benchmark-result.js';
import { ResultError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import { findBenchmark, planOf } from '../benchmark/find.js';
import { findFinishedBenchmark, finishBenchmarkRun } from '../benchmark/finish.js';
import { startBenchmark } from '../benchmark/start-benchmark.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';

/** `testgrad retry RUN`: runs again what ended with an error, and nothing else. */
export async function retry(invocation: Invocation): Promise<number> {
  const home = homeFolder(invocation);
  const record = await findBenchmark({ home, reference: invocation.argument ?? 'last' });
  const store = await openStore(home);
  const { runId } = record;
  const end = await findFinishedBenchmark({ store, runId });
  const short = shortRunId(runId);
  if (end === null) {
    throw new ResultError({
      code: 'TG-R05',
      what: `Run ${short} (${record.name}) has not ended.`,
      meaning: 'Its errors can be run again when it has.',
      fix: `testgrad watch ${short} waits for its end; after a cancel the same bench command goes on.`,
    });
  }
  if (end.errors === 0) {
    invocation.terminal.note(`Run ${short} has no errors. Nothing was started.`);
    return 0;
  }
  // From here on its errors are not done: this command and the same bench command go on with them.
  await store.appendLedger({ key: attemptLedger(runId), line: JSON.stringify({ at: new Date().toISOString() }) });
  const plan = await planOf({ store, record });
  const { instance: planRef, results } = record;
  const started = await startBenchmark({ invocation, home, store, plan, planRef, results });
  return finishBenchmarkRun({ invocation, home, store, started });
}
