import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { execa } from 'execa';
import { stringify } from 'yaml';
import type { ServerTarget } from '../../src/workers/connection.js';
import { freePort } from '../../src/workers/free-port.js';
import type { Postgres } from './postgres.js';

/** Temporal's server with its state in PostgreSQL. */
export interface TemporalCluster {
  readonly target: ServerTarget;
  /** Ends the server with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Starts it again on the same ports and databases; returns when it answers. */
  readonly start: () => Promise<void>;
}

const DATABASES = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' } as const;
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

/** Makes databases and configuration, and starts the server. */
export async function startTemporalCluster({
  bin,
  dir,
  postgres,
}: {
  /** Folder of the programs `server` and `sql`. */
  bin: string;
  dir: string;
  postgres: Postgres;
}): Promise<TemporalCluster> {
  for (const [database, schema] of Object.entries(DATABASES)) {
    const at = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(postgres.port), '-u', 'postgres'];
    const sql = (...args: string[]) => execa(join(bin, 'sql'), [...at, '--db', database, ...args]);
    await sql('create');
    await sql('setup-schema', '-v', '0.0');
    await sql('update-schema', '--schema-name', schema);
  }
  const base = join(dir, 'temporal');
  await mkdir(base, { recursive: true });
  const config = join(base, 'config.yaml');
  const frontendPort = await lowPort();
  const address = `127.0.0.1:${frontendPort}`;
  await writeFile(join(base, 'dynamic.yaml'), '{}\n');
  await writeFile(config, await configuration({ postgres, frontendPort, base }));

  let child: ChildProcess | undefined;
  const logFile = join(base, 'server.log');
  const log = openSync(logFile, 'a');
  const start = async (): Promise<void> => {
    child = spawn(join(bin, 'server'), ['--config-file', config, 'start'], { cwd: base, stdio: ['ignore', log, log] });
    await answering({ address, child, log: logFile });
  };
  await start();
  return {
    target: { address, namespace: 'default' },
    start,
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The server keeps ports as 16-bit numbers with a sign. */
async function lowPort(): Promise<number> {
  for (;;) {
    const wanted = 12_000 + Math.floor(Math.random() * 20_000);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}

async function configuration({
  postgres,
  frontendPort,
  base,
}: {
  postgres: Postgres;
  frontendPort: number;
  base: string;
}): Promise<string> {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${postgres.port}`,
      connectProtocol: 'tcp',
      user: 'postgres',
      maxConns,
      maxIdleConns: maxConns,
    },
  });
  const services: Record<string, unknown> = {};
  for (const name of SERVICES) {
    const grpcPort = name === 'frontend' ? frontendPort : await lowPort();
    services[name] = { rpc: { grpcPort, membershipPort: await lowPort(), bindOnLocalHost: true } };
  }
  return stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${frontendPort}`,
        },
      },
    },
    publicClient: { hostPort: `127.0.0.1:${frontendPort}` },
    dynamicConfigClient: { filepath: join(base, 'dynamic.yaml'), pollInterval: '60s' },
  });
}

async function answering({
  address,
  child,
  log,
}: {
  address: string;
  child: ChildProcess;
  log: string;
}): Promise<void> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    if (child.exitCode !== null) {
      throw new Error(`the server ended with ${child.exitCode}: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
    }
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      try {
        await connection.workflowService.listNamespaces({});
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
