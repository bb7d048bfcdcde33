import { TemporalError } from '../errors.js';
import type { ConnectedClient, ServerTarget } from '../workers/connection.js';
import type { Invocation } from './invocation.js';
import { cacheFolder } from './places.js';

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

/**
 * Connects to the configured server or to the local one. With `start` the local one is started when it does not run;
 * without it null says that it does not.
 */
export async function openSession({
  invocation,
  home,
  start,
  connectTimeoutMs,
}: {
  invocation: Invocation;
  home: string;
  start: boolean;
  /** How long a configured server may take to answer; default five seconds. */
  connectTimeoutMs?: number;
}): Promise<Session | null> {
  const { env, terminal } = invocation;
  const { connectClient, resolveServer } = await import('../workers/connection.js');
  const server = await resolveServer({ env });
  if (server.kind === 'configured') {
    const connected = await connectClient({
      target: server,
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    });
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

/** {@link openSession} for lists: they start no server, and one that does not answer only costs what it would tell. */
export async function sessionIfAny({
  invocation,
  home,
}: {
  invocation: Invocation;
  home: string;
}): Promise<Session | null> {
  try {
    return await openSession({ invocation, home, start: false });
  } catch (error) {
    invocation.terminal.note(`${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
