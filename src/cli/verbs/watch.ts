import { ensureLocalWorker } from '../ensure-local-worker.js';
import { finishRun } from '../finish-run.js';
import { findFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { printOutcome } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { localTaskQueue } from '../run-identity.js';
import { findRun } from '../run-index.js';
import { startSession } from '../session.js';
import { describeRunning } from '../start-run.js';
import { workerEnvironment } from '../worker-environment.js';

/** `testgrad watch RUN`: attaches to a run and prints its result; a finished one is printed at once. */
export async function watch(invocation: Invocation): Promise<number> {
  const { terminal, cwd } = invocation;
  const home = homeFolder(invocation);
  const record = await findRun({ home, reference: invocation.argument ?? 'last' });
  const store = await openStore(home);
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
        needsModel: record.kind === 'select',
        note: terminal.note,
      });
    }
    const handle = session.connected.client.workflow.getHandle(record.workflowId);
    return await finishRun({ invocation, home, store, started: { session, handle, record, attached: true } });
  } finally {
    await session.connected.close();
  }
}
