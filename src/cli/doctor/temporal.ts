import { DEFAULT_TASK_QUEUE } from '../../core/queues.js';
import type { Invocation } from '../invocation.js';
import { cacheFolder } from '../places.js';
import { localTaskQueue } from '../run-identity.js';
import { openSession, type Session } from '../session.js';
import { workerEnvironment } from '../worker-environment.js';
import { type Found, ok, problem, type Question, warn } from './check.js';

/** Shorter than the limit of a check, so that the server's own message is told. */
const CONNECT_MS = 2_500;

/** What Temporal has: a server that answers, its search attributes, a worker for this command's queue. */
export function temporalQuestions({ invocation, home }: { invocation: Invocation; home: string }): Question[] {
  // One connection for three questions; each of them waits for it within its own limit.
  const opened = openSession({ invocation, home, start: false, connectTimeoutMs: CONNECT_MS });
  opened.catch(() => undefined);
  const withSession = (look: (session: Session | null) => Promise<Found>) => async (): Promise<Found> => {
    let session: Session | null;
    try {
      session = await opened;
    } catch {
      return warn({ says: 'not known, as no server answers', fix: '' });
    }
    return look(session);
  };
  return [
    {
      name: 'Temporal',
      look: async () => {
        const session = await opened;
        return session === null ? localBinary(invocation) : ok(serverText(session));
      },
    },
    { name: 'attributes', look: withSession(attributes) },
    { name: 'worker', look: withSession((session) => worker({ session, invocation, home })) },
  ];
}

const serverText = ({ target, local, uiUrl }: Session): string =>
  `${local ? 'local server' : 'server'} at ${target.address}, namespace ${target.namespace}${uiUrl === null ? '' : `, pages at ${uiUrl}`}`;

/** No server runs and none is configured: a run starts one, if the program for it is there or can be fetched. */
async function localBinary(invocation: Invocation): Promise<Found> {
  const { findTemporalBinary } = await import('../../workers/temporal-binary.js');
  const { env } = invocation;
  try {
    const { version, source } = await findTemporalBinary({ env, cacheDir: cacheFolder(invocation), install: false });
    return ok(`no server runs; the first run starts a local one (Temporal CLI ${version} from ${source})`);
  } catch (error) {
    if (env.TEMPORAL_CLI_PATH) return problem({ error, state: 'fail' });
    return warn({
      says: 'no server runs, and the Temporal CLI for a local one would be fetched by the first run',
      fix: 'Where there is no network: put `temporal` on PATH, or set TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS.',
      code: 'TG-T05',
    });
  }
}

async function attributes(session: Session | null): Promise<Found> {
  if (session === null) return ok('registered by the local server when it starts');
  const { missingSearchAttributes, searchAttributesMissing } = await import('../../workers/search-attributes.js');
  const { connection } = session.connected;
  const { namespace } = session.target;
  const missing = await missingSearchAttributes({ connection, namespace });
  if (missing.length === 0) return ok('all search attributes are registered');
  const { what, fix } = searchAttributesMissing({ missing, namespace });
  return warn({ says: what, fix: `Runs go without them, lists do not filter. ${fix}`, code: 'TG-T04' });
}

/** temporal.api.enums.v1.TaskQueueType of workflows. */
const WORKFLOW_QUEUE = 1;

async function worker({
  session,
  invocation,
  home,
}: {
  session: Session | null;
  invocation: Invocation;
  home: string;
}): Promise<Found> {
  if (session === null) return ok('started by the first run');
  const { values, env, cwd } = invocation;
  if (session.local) {
    const { servingWorker } = await import('../../workers/local-worker.js');
    const taskQueue = values.text('taskQueue') ?? localTaskQueue(workerEnvironment({ env, cwd, home }));
    const serving = await servingWorker({ home, taskQueue, target: session.target });
    return ok(serving === null ? `none on queue ${taskQueue}; the next run starts it` : `polls queue ${taskQueue}`);
  }
  const taskQueue = values.text('taskQueue') ?? DEFAULT_TASK_QUEUE;
  const { pollers } = await session.connected.connection.workflowService.describeTaskQueue({
    namespace: session.target.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_QUEUE,
  });
  const count = pollers?.length ?? 0;
  if (count > 0) return ok(`${count} ${count === 1 ? 'poller' : 'pollers'} on queue ${taskQueue}`);
  return warn({
    says: `no worker polls queue ${taskQueue}`,
    fix: `Runs wait until there is one: testgrad worker --task-queue ${taskQueue}`,
    code: 'TG-T02',
  });
}
