import type { WorkflowHandle } from '@temporalio/client';
import type { Progress } from '../core/progress.js';
import type { Session } from './session.js';

/** Without a worker a query waits for half a minute; an answer takes milliseconds. */
const DEADLINE_MS = 4_000;

/** Where a run stands, or null when no worker answers. */
export async function queryProgress<T = Progress>({
  session,
  handle,
}: {
  session: Session;
  handle: WorkflowHandle;
}): Promise<T | null> {
  const { connection } = session.connected;
  const ask = (): Promise<T> => handle.query<T>('progress');
  return connection.withDeadline(Date.now() + DEADLINE_MS, ask).catch(() => null);
}
