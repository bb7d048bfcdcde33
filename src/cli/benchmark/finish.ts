import { cp } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import { type BenchmarkEnd, FINISHED_KIND, finishedKey } from '../../core/benchmark-result.js';
import { renderBenchmark } from '../../report/benchmark-render.js';
import { shortRunId } from '../../report/short-run-id.js';
import { printDetached } from '../finish-run.js';
import type { Invocation } from '../invocation.js';
import type { RunRecord } from '../run-index.js';
import { workflowUrl } from '../session.js';
import type { StartedRun } from '../start-run.js';
import { followBenchmark } from './follow-benchmark.js';
import { scoreBenchmark } from './score-benchmark.js';
import { attemptOf } from './start-benchmark.js';

/** The end of a benchmark whose every item is done, or null. The store answers. */
export async function findFinishedBenchmark({
  store,
  runId,
}: {
  store: ArtifactStore;
  runId: string;
}): Promise<BenchmarkEnd | null> {
  const key = finishedKey({ runId, attempt: await attemptOf({ store, runId }) });
  const ref = await store.lookup({ kind: FINISHED_KIND, key });
  return ref === undefined ? null : getJson<BenchmarkEnd>({ store, ref });
}

/** Writes and prints a benchmark that ended; returns the exit code: 20 with errors, 12 when the budget was spent. */
export async function printBenchmark({
  invocation,
  home,
  store,
  record,
  end,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  record: RunRecord;
  end: BenchmarkEnd;
}): Promise<number> {
  const { terminal, values, cwd } = invocation;
  const written = await scoreBenchmark({ home, cwd, store, record, end });
  const folder = await copied({ from: written.folder, to: values.text('write'), cwd });
  const short = shortRunId(record.runId);
  if (values.on('json')) {
    const { runId, finished, errors, missing, complete } = end;
    terminal.json({
      schema: 'testgrad.bench/1',
      run: { id: runId, workflow: record.workflowId, folder, ui: null },
      outcome: complete ? 'finished' : 'incomplete',
      runs: { finished, errors, missing },
      fallbacks: written.fallbacks,
      report: written.report,
    });
  } else {
    const { columns, colour } = terminal;
    if (written.report !== null) terminal.out(renderBenchmark({ report: written.report, columns, colour }));
    terminal.note(
      `${end.finished} runs finished, ${end.errors} errors, ${end.missing} not run; ${written.fallbacks} predictions by last resort.`,
    );
    terminal.note(`Predictions, records and tables: ${folder}`);
    if (end.errors > 0) terminal.note(`Run the errors again: testgrad retry ${short}`);
    if (end.missing > 0) terminal.note('The same command goes on with what is missing, once it may spend more.');
  }
  if (!end.complete) return 12;
  return end.errors > 0 ? 20 : 0;
}

async function copied({ from, to, cwd }: { from: string; to: string | undefined; cwd: string }): Promise<string> {
  if (to === undefined) return from;
  const folder = resolve(cwd, to);
  await cp(from, folder, { recursive: true, filter: (source) => basename(source) !== 'run.json' });
  return folder;
}

/** Watches a started benchmark to its end and prints what came out; Ctrl+C leaves it alone. Closes the session. */
export async function finishBenchmarkRun({
  invocation,
  home,
  store,
  started,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  started: StartedRun;
}): Promise<number> {
  const { record, session } = started;
  try {
    const uiUrl = workflowUrl({ session, workflowId: record.workflowId });
    if (invocation.values.on('detach')) return printDetached({ invocation, record, uiUrl });
    const followed = await followBenchmark({ started, terminal: invocation.terminal });
    if (followed.kind === 'detached') return printDetached({ invocation, record, uiUrl });
    return await printBenchmark({ invocation, home, store, record, end: followed.end });
  } finally {
    await session.connected.close();
  }
}
