import { withEvents } from '../events.js';
import { finishRun } from '../finish-run.js';
import { buildInstance } from '../inputs/build-instance.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';
import { runIdOf } from '../run-identity.js';
import { runSettings } from '../run-settings.js';
import { startRun } from '../start-run.js';

/** `testgrad matrix`: the tests as they are on every candidate, without a model. What is known is not run again. */
export const matrix = (invocation: Invocation): Promise<number> => withEvents({ invocation, work: matrixRun });

async function matrixRun(invocation: Invocation): Promise<number> {
  const home = homeFolder(invocation);
  const settings = runSettings({ kind: 'matrix', values: invocation.values });
  const store = await openStore(home);
  const { instance, instanceRef } = await buildInstance({ invocation, home, store, kind: 'matrix' });
  const runId = runIdOf({ kind: 'matrix', instance: instanceRef, settings });
  const started = await startRun({ invocation, home, run: { kind: 'matrix', runId, instance, instanceRef, settings } });
  try {
    return await finishRun({ invocation, home, store, started });
  } finally {
    await started.session.connected.close();
  }
}
