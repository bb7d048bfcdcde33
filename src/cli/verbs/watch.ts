import { planOf } from '../benchmark/find.js';
import { findFinishedBenchmark, finishBenchmarkRun, printBenchmark } from '../benchmark/finish.js';
import { needsModel } from '../benchmark/start-benchmark.js';
import { ensureLocalWorker } from '../ensure-local-worker.js';
import { withEvents } from '../events.js';
import { finishRun } from '../finish-run.js';
import { findFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { printOutcome } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { localTaskQueue } from '../run-identity.js';
import { findRun } from '../run-index.js';
import { startSession, workflowUrl } from '../session.js';
import { describeRunning } from '../start-run.js';
import { workerEnvironment } from '../worker-environment.js';

/** `testgrad watch RUN`: attaches to a run and prints its result; a finished one is printed at once. */
export const watch = (invocation: Invocation): Promise<number> => withEvents({ invocation, work: watchRun });

async function watchRun(invocation: Invocation): Promise<number> {
  const { terminal, cwd } = invocation;
  const home = homeFolder(invocation);
  const record = await findRun({ home, reference: invocation.argument ?? 'last' });
  const store = await openStore(home);
  const bench = record.kind === 'bench';
  if (bench) {
    const end = await findFinishedBenchmark({ store, runId: record.runId });
    if (end !== null) return printBenchmark({ invocation, home, store, record, end });
  }
  const finished = await findFinished({ store, runId: record.runId });
  if (finished !== null) return printOutcome({ invocation, home, finished, uiUrl: null });
  const session = await startSession({ invocation, home });
  try {
    const running = await describeRunning({ session, workflowId: record.workflowId });
    if (running !== null) {
      const env = workerEnvironment({ env: invocation.env, cwd, home });
      await ensureLocalWorker({
        session,
        home,
        env,
        taskQueue: running.taskQueue,
        own: running.taskQueue === localTaskQueue(env),
        needsModel: bench ? needsModel(await planOf({ store, record })) : record.kind === 'select',
        note: terminal.note,
      });
    }
    const handle = session.connected.client.workflow.getHandle(record.workflowId);
    const started = { session, handle, record, attached: true };
    const { kind, runId, workflowId } = record;
    const ui = workflowUrl({ session, workflowId });
    invocation.events?.launch({ kind, run: runId, workflow: workflowId, ui, attached: true });
    if (bench) return await finishBenchmarkRun({ invocation, home, store, started });
    return await finishRun({ invocation, home, store, started });
  } finally {
    await session.connected.close();
  }
}
