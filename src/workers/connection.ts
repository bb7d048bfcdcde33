import type { Client, Connection, ConnectionOptions } from '@temporalio/client';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnection } from '@temporalio/worker';
import { InputError, TemporalError } from '../errors.js';

/** TLS, API key and headers of a configured server; what the Temporal CLI would use as well. */
export type ConnectionConfig = Pick<ClientConnectConfig['connectionOptions'], 'tls' | 'apiKey' | 'metadata'>;

/** A server that can be connected to. */
export interface ServerTarget {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Absent for a local server, which has neither TLS nor keys. */
  readonly config?: ConnectionConfig;
}

/** Which server to use: one that someone configured, or the local one of `<home>`. */
export type ServerChoice = ({ readonly kind: 'configured' } & ServerTarget) | { readonly kind: 'local' };

/** Namespace of the local server. */
export const LOCAL_NAMESPACE = 'default';

/**
 * Reads `TEMPORAL_*` and the Temporal CLI's configuration file (`TEMPORAL_PROFILE`, `TEMPORAL_CONFIG_FILE`), so that
 * `temporal` and `testgrad` talk to the same server. Without an address in either the local server is meant.
 *
 * Throws TG-I14 when the file or the profile cannot be read.
 */
export async function resolveServer({ env }: { env: NodeJS.ProcessEnv }): Promise<ServerChoice> {
  const { loadClientConnectConfig } = await import('@temporalio/envconfig');
  let loaded: ClientConnectConfig;
  try {
    loaded = loadClientConnectConfig({ overrideEnvVars: definedOnly(env) });
  } catch (error) {
    throw new InputError({
      code: 'TG-I14',
      what: `Temporal's configuration cannot be used: ${(error as Error).message}`,
      meaning: 'Which server to talk to is unknown, so nothing was started.',
      fix: 'Mend the file that TEMPORAL_CONFIG_FILE names (or the profile in TEMPORAL_PROFILE), or set TEMPORAL_ADDRESS.',
      cause: error,
    });
  }
  const { address, tls, apiKey, metadata } = loaded.connectionOptions;
  if (address === undefined) return { kind: 'local' };
  const config: ConnectionConfig = {
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  return { kind: 'configured', address, namespace: loaded.namespace ?? LOCAL_NAMESPACE, config };
}

/** A client with its connection; `close` frees the process to end. */
export interface ConnectedClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * Connects within `connectTimeoutMs` (default 5,000) and makes sure that the namespace is there. Throws TG-T01
 * otherwise.
 */
export async function connectClient({
  target,
  connectTimeoutMs = 5_000,
}: {
  target: ServerTarget;
  connectTimeoutMs?: number;
}): Promise<ConnectedClient> {
  const { Client, Connection } = await import('@temporalio/client');
  const { address, namespace, config } = target;
  const connection = Connection.lazy({ address, connectTimeout: connectTimeoutMs, ...(config as ConnectionOptions) });
  try {
    await connection.ensureConnected();
    await connection.withDeadline(Date.now() + connectTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    await connection.close();
    throw noServer({ target, error });
  }
  const client = new Client({ connection, namespace });
  return { client, connection, close: () => connection.close() };
}

/** The worker's kind of connection. Throws TG-T01 when the server does not answer. */
export async function connectWorker({ target }: { target: ServerTarget }): Promise<NativeConnection> {
  const { NativeConnection } = await import('@temporalio/worker');
  try {
    return await NativeConnection.connect({ address: target.address, ...target.config });
  } catch (error) {
    throw noServer({ target, error });
  }
}

function noServer({ target, error }: { target: ServerTarget; error: unknown }): TemporalError {
  const { address, namespace } = target;
  const reason = (error as Error).message;
  if ((error as { code?: number }).code === GRPC_NOT_FOUND) {
    return new TemporalError({
      code: 'TG-T01',
      what: `The Temporal server at ${address} has no namespace "${namespace}".`,
      meaning: 'Nothing was started.',
      fix: 'Set TEMPORAL_NAMESPACE to one that exists: temporal operator namespace list',
      cause: error,
    });
  }
  return new TemporalError({
    code: 'TG-T01',
    what: `No Temporal server answers at ${address} (${reason}).`,
    meaning: 'Runs that were started there are kept by the server and go on when it is back.',
    fix: 'Start the local one with `testgrad up`, or set TEMPORAL_ADDRESS to one that runs.',
    cause: error,
  });
}

const GRPC_NOT_FOUND = 5;

/** An empty variable means the same as none. */
function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return Object.fromEntries(entries);
}
