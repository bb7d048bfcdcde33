import { fileURLToPath } from 'node:url';
import { TemporalError } from '../errors.js';
import type { ConnectedClient, ServerTarget } from '../workers/connection.js';
import type { Invocation } from './invocation.js';
import { cacheFolder } from './places.js';

/** The program that a worker process runs. */
const MAIN_FILE = fileURLToPath(new URL('./main.js', import.meta.url));

/** A Temporal server that this command is connected to. */
export interface Session {
  readonly connected: ConnectedClient;
  readonly target: ServerTarget;
  /** True for the local server of the state folder, whose workers are started here. */
  readonly local: boolean;
  /** Temporal's web pages, without a slash at the end; null when unknown. */
  readonly uiUrl: string | null;
}

/** Address of a workflow in Temporal's web pages, or null where they are not known. */
export function workflowUrl({ session, workflowId }: { session: Session; workflowId: string }): string | null {
  const { uiUrl, target } = session;
  return uiUrl === null
    ? null
    : `${uiUrl}/namespaces/${encodeURIComponent(target.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** Variables of a command that mean nothing to a worker; with them a worker would seem to have other settings. */
const COMMAND_ONLY = ['TESTGRAD_MODEL', 'TESTGRAD_CHECKER_MODEL', 'TESTGRAD_TASK_QUEUE', 'TESTGRAD_CACHE'];

/**
 * The environment of this command as a worker process gets it: the state folder by name, and recordings by absolute
 * path, because a worker runs in another folder.
 */
export async function workerEnvironment({
  env,
  cwd,
  home,
}: {
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
}): Promise<NodeJS.ProcessEnv> {
  const { resolve } = await import('node:path');
  const paths = ['TESTGRAD_RECORD', 'TESTGRAD_REPLAY'].flatMap((name) => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? [] : [[name, resolve(cwd, value)] as const];
  });
  const kept = Object.entries(env).filter(([name]) => !COMMAND_ONLY.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(paths), TESTGRAD_HOME: home };
}

/**
 * Connects to the configured server or to the local one. With `start` the local one is started when it does not run;
 * without it null says that it does not.
 */
export async function openSession({
  invocation,
  home,
  start,
}: {
  invocation: Invocation;
  home: string;
  start: boolean;
}): Promise<Session | null> {
  const { env, terminal } = invocation;
  const { connectClient, resolveServer } = await import('../workers/connection.js');
  const server = await resolveServer({ env });
  if (server.kind === 'configured') {
    const connected = await connectClient({ target: server });
    return { connected, target: server, local: false, uiUrl: env.TEMPORAL_UI_URL?.replace(/\/+$/, '') ?? null };
  }
  const { answeringServer, startLocalServer } = await import('../workers/local-server.js');
  const found = start
    ? await startLocalServer({ home, cacheDir: cacheFolder(invocation), env, report: terminal.note })
    : await answeringServer(home);
  if (found === null) return null;
  if (found.started) {
    terminal.note(`Started a local Temporal server (${found.target.address}, pages at ${found.uiUrl}).`);
    terminal.note(`It keeps its state in ${home} and outlives this command; testgrad down stops it.`);
  }
  return {
    connected: await connectClient({ target: found.target }),
    target: found.target,
    local: true,
    uiUrl: found.uiUrl.replace(/\/+$/, ''),
  };
}

/** {@link openSession} that starts the local server: there always is one. */
export async function startSession(call: { invocation: Invocation; home: string }): Promise<Session> {
  const session = await openSession({ ...call, start: true });
  if (session !== null) return session;
  throw new TemporalError({
    code: 'TG-T06',
    what: 'The local Temporal server did not start.',
    meaning: 'No run was started.',
    fix: 'Try again: testgrad up.',
  });
}

/**
 * Makes sure that a worker of the local server takes the work of `taskQueue`; on a configured server that is the
 * operator's business.
 *
 * A queue of another model setting keeps the worker that it has: only when none runs one is started with the setting
 * of this command. Throws TG-M01 when that has no key while the run needs a model.
 */
export async function ensureLocalWorker({
  session,
  home,
  env,
  taskQueue,
  ownQueue,
  needsModel,
  note,
}: {
  session: Session;
  home: string;
  /** As from {@link workerEnvironment}. */
  env: NodeJS.ProcessEnv;
  taskQueue: string;
  /** Queue of this command's own model setting. */
  ownQueue: string;
  needsModel: boolean;
  note: (line: string) => void;
}): Promise<void> {
  if (!session.local) return;
  const { stackStatus } = await import('../workers/local-stack.js');
  const { workers } = await stackStatus({ home });
  const runs = workers.some((worker) => worker.taskQueue === taskQueue && worker.state === 'running');
  const keepsSetting = runs && taskQueue !== ownQueue;
  if (needsModel && !runs) await checkModel(env);
  const { ensureWorker } = await import('../workers/local-worker.js');
  await ensureWorker({
    home,
    taskQueue,
    mainFile: MAIN_FILE,
    target: session.target,
    env: keepsSetting ? withoutModel(env) : env,
    report: note,
  });
}

/**
 * Throws TG-M01 or TG-I14 when no model can be asked with this environment, TG-I03 when the recorded session that it
 * names cannot be read; before anything is started for it.
 */
export async function checkModel(env: NodeJS.ProcessEnv): Promise<void> {
  const { createModelFromEnvironment } = await import('../llm/model-from-environment.js');
  createModelFromEnvironment({ env });
  const { priceOfModel } = await import('../llm/prices.js');
  priceOfModel({ model: '', override: env.TESTGRAD_PRICE });
  const replay = env.TESTGRAD_REPLAY?.trim();
  if (replay) {
    const { readNamedFile } = await import('./inputs/read-file.js');
    await readNamedFile({ path: replay, given: replay, flag: 'TESTGRAD_REPLAY' });
  }
}

const withoutModel = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OPENAI_')));
