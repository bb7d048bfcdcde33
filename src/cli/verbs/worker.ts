import { createActivities } from '../../activities/index.js';
import { DEFAULT_TASK_QUEUE } from '../../core/queues.js';
import { TemporalError } from '../../errors.js';
import { resolveServer, type ServerTarget } from '../../workers/connection.js';
import { runWorker } from '../../workers/create-worker.js';
import { failpointOf } from '../../workers/failpoint.js';
import { answeringServer } from '../../workers/local-server.js';
import { createServices, reapHost } from '../../workers/services.js';
import { createWorkerLogger } from '../../workers/worker-logger.js';
import type { Invocation } from '../invocation.js';
import { homeFolder } from '../places.js';

async function targetOf({ invocation, home }: { invocation: Invocation; home: string }): Promise<ServerTarget> {
  const server = await resolveServer({ env: invocation.env });
  if (server.kind === 'configured') return server;
  const local = await answeringServer(home);
  if (local !== null) return local.target;
  throw new TemporalError({
    code: 'TG-T01',
    what: `No server is configured, and no local one runs for ${home}.`,
    meaning: 'A worker takes its work from a Temporal server.',
    fix: 'Start the local one, with a worker: testgrad up. Another: TEMPORAL_ADDRESS=host:port testgrad worker.',
  });
}

/** `testgrad worker`: polls a task queue in this process until SIGTERM or Ctrl+C. */
export async function worker(invocation: Invocation): Promise<number> {
  const { values, env } = invocation;
  const home = homeFolder(invocation);
  const target = await targetOf({ invocation, home });
  const stopping = new AbortController();
  const failpoint = failpointOf(env);
  const own = createServices({ home, env, stopping: stopping.signal });
  const services = failpoint?.services(own) ?? own;
  const activities = createActivities({ services });
  await runWorker({
    target,
    taskQueue: values.text('taskQueue') ?? DEFAULT_TASK_QUEUE,
    activities: failpoint?.activities(activities) ?? activities,
    stopping,
    logger: createWorkerLogger(),
    reap: () => reapHost({ home }),
  });
  return 0;
}
