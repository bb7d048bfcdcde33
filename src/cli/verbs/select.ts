import { withEvents } from '../events.js';
import { finishRun, printDetached } from '../finish-run.js';
import { findFinished } from '../finished-run.js';
import { buildInstance } from '../inputs/build-instance.js';
import type { Invocation } from '../invocation.js';
import { printOutcome } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { runIdOf } from '../run-identity.js';
import { rememberRun } from '../run-index.js';
import { runSettings } from '../run-settings.js';
import { workflowUrl } from '../session.js';
import { startRun } from '../start-run.js';

/**
 * `testgrad select`: chooses one candidate. The same inputs are the same run: a finished one is printed from the store
 * without a server or a model, one in work is attached to, a failed or cancelled one goes on.
 */
export const select = (invocation: Invocation): Promise<number> => withEvents({ invocation, work: selectRun });

async function selectRun(invocation: Invocation): Promise<number> {
  const { values } = invocation;
  const home = homeFolder(invocation);
  const settings = runSettings({ kind: 'select', values });
  const store = await openStore(home);
  const { instance, instanceRef } = await buildInstance({ invocation, home, store, kind: 'select' });
  const runId = runIdOf({ kind: 'select', instance: instanceRef, settings });
  const run = { kind: 'select', runId, instance, instanceRef, settings } as const;
  const finished = await findFinished({ store, runId });
  if (finished !== null) {
    await rememberRun({ home, run, start: null });
    return printOutcome({ invocation, home, finished, uiUrl: null });
  }
  const started = await startRun({ invocation, home, run });
  try {
    if (values.on('detach')) {
      const uiUrl = workflowUrl({ session: started.session, workflowId: started.record.workflowId });
      const { kind, workflowId } = started.record;
      invocation.events?.launch({ kind, run: runId, workflow: workflowId, ui: uiUrl, attached: started.attached });
      return printDetached({ invocation, record: started.record, uiUrl });
    }
    return await finishRun({ invocation, home, store, started });
  } finally {
    await started.session.connected.close();
  }
}
