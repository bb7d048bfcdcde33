import { ensureLocalWorker } from '../ensure-local-worker.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, makeHome } from '../places.js';
import { localTaskQueue } from '../run-identity.js';
import { startSession } from '../session.js';
import { workerEnvironment } from '../worker-environment.js';

/** `testgrad up`: the local server and a worker for this environment's model setting; what runs already stays. */
export async function up(invocation: Invocation): Promise<number> {
  const { terminal, values, cwd } = invocation;
  const home = homeFolder(invocation);
  await makeHome(home);
  const env = workerEnvironment({ env: invocation.env, cwd, home });
  const session = await startSession({ invocation, home });
  try {
    const taskQueue = localTaskQueue(env);
    await ensureLocalWorker({
      session,
      home,
      env,
      taskQueue,
      own: true,
      needsModel: false,
      note: terminal.note,
    });
    const { target, local, uiUrl } = session;
    if (values.on('json')) {
      terminal.json({
        schema: 'testgrad.stack/1',
        server: target.address,
        namespace: target.namespace,
        local,
        ui: uiUrl,
        taskQueue: local ? taskQueue : null,
      });
    } else if (local) {
      terminal.out(
        `Temporal server  ${target.address}\nPages            ${uiUrl}\nWorker           queue ${taskQueue}`,
      );
    } else {
      terminal.out(
        `The Temporal server at ${target.address} is configured and answers; nothing is started here.\nWorkers for it: testgrad worker`,
      );
    }
    return 0;
  } finally {
    await session.connected.close();
  }
}
