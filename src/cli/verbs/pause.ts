import { shortRunId } from '../../report/short-run-id.js';
import { askRun } from '../benchmark/ask.js';
import type { Invocation } from '../invocation.js';

/** `testgrad pause RUN`: begins nothing further; what is in work is finished. */
export async function pause(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const { runId } = await askRun({ invocation, ask: ({ handle }) => handle.executeUpdate('pause') });
  if (values.on('json')) terminal.json({ schema: 'testgrad.pause/1', run: runId, paused: true });
  else terminal.out(`Run ${shortRunId(runId)} is paused: testgrad resume ${shortRunId(runId)}`);
  return 0;
}
