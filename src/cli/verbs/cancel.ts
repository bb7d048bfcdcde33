import { ResultError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import { findFinishedBenchmark } from '../benchmark/finish.js';
import { findFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';
import { queryProgress } from '../query-progress.js';
import { findRun } from '../run-index.js';
import { startSession } from '../session.js';
import { describeRunning } from '../start-run.js';

/** How long a worker may take to end the work and to remove the sandboxes of a cancelled run. */
const END_WAIT_MS = 100_000;
/** Without a worker nothing happens until one comes. */
const NO_WORKER_WAIT_MS = 1_000;

/** `testgrad cancel RUN`: asks a run to stop and waits until it has. */
export async function cancel(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const home = homeFolder(invocation);
  const record = await findRun({ home, reference: invocation.argument ?? 'last' });
  const short = shortRunId(record.runId);
  const store = await openStore(home);
  const { runId } = record;
  const finished =
    record.kind === 'bench' ? await findFinishedBenchmark({ store, runId }) : await findFinished({ store, runId });
  if (finished !== null) throw notRunning(`Run ${short} (${record.name}) is finished.`);
  const session = await startSession({ invocation, home });
  try {
    if ((await describeRunning({ session, workflowId: record.workflowId })) === null) {
      throw notRunning(`Run ${short} (${record.name}) is not in work.`);
    }
    const handle = session.connected.client.workflow.getHandle(record.workflowId);
    const answers = (await queryProgress({ session, handle })) !== null;
    await handle.cancel();
    const ended = await Promise.race([
      handle.result().then(
        () => true,
        () => true,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), answers ? END_WAIT_MS : NO_WORKER_WAIT_MS)),
    ]);
    if (values.on('json')) {
      terminal.json({ schema: 'testgrad.cancel/1', run: record.runId, ended });
    } else {
      terminal.out(
        ended
          ? `Run ${short} is cancelled. What was computed stays; the same command goes on from there.`
          : `Run ${short} is asked to stop; that is done when a worker takes it up.`,
      );
    }
    return 0;
  } finally {
    await session.connected.close();
  }
}

function notRunning(what: string): ResultError {
  return new ResultError({
    code: 'TG-R05',
    what,
    meaning: 'There is nothing to cancel.',
    fix: 'testgrad status lists the runs in work.',
  });
}
