import type { WorkflowHandle } from '@temporalio/client';
import { ResultError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import type { Invocation } from '../invocation.js';
import { homeFolder } from '../places.js';
import { findRun, type RunRecord } from '../run-index.js';
import { startSession } from '../session.js';
import { describeRunning } from '../start-run.js';

/** An update is accepted by a worker; without one it would wait for it. */
const DEADLINE_MS = 15_000;

/**
 * Asks something of a run in work; a worker that does not answer in time is an error of the connection. Throws TG-R05
 * when the run is not in work.
 */
export async function askRun({
  invocation,
  ask,
}: {
  invocation: Invocation;
  ask: (run: { readonly handle: WorkflowHandle; readonly record: RunRecord }) => Promise<unknown>;
}): Promise<RunRecord> {
  const home = homeFolder(invocation);
  const record = await findRun({ home, reference: invocation.argument ?? 'last' });
  const session = await startSession({ invocation, home });
  try {
    const short = shortRunId(record.runId);
    if ((await describeRunning({ session, workflowId: record.workflowId })) === null) {
      throw new ResultError({
        code: 'TG-R05',
        what: `Run ${short} (${record.name}) is not in work.`,
        meaning: 'Nothing was changed.',
        fix: 'testgrad status lists the runs in work.',
      });
    }
    const { client, connection } = session.connected;
    const handle = client.workflow.getHandle(record.workflowId);
    await connection.withDeadline(Date.now() + DEADLINE_MS, async () => ask({ handle, record }));
    return record;
  } finally {
    await session.connected.close();
  }
}
