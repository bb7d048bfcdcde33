import { spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { TemporalError } from '../errors.js';
import { connectClient, LOCAL_NAMESPACE, type ServerTarget } from './connection.js';
import { devServerArguments } from './dev-server-arguments.js';
import { withFileLock } from './file-lock.js';
import { freePort } from './free-port.js';
import { endProcess, identify, isAlive, type ProcessIdentity } from './process-identity.js';
import { registerSearchAttributes } from './search-attributes.js';
import { openLog, readServerRecord, type ServerRecord, stackPaths, tailOf, writeRecord } from './stack-files.js';
import { findTemporalBinary, type TemporalBinary } from './temporal-binary.js';

/** The local server once it answers. */
export interface LocalServer {
  readonly target: ServerTarget;
  /** Temporal's web pages. */
  readonly uiUrl: string;
  readonly pid: number;
  /** Version of the Temporal CLI that serves. */
  readonly version: string;
  /** True when this call started it. */
  readonly started: boolean;
}

const START_TIMEOUT_MS = 30_000;
/** Of a log: those that a panic may take, and those that are shown. */
const LOG_LINES = 2_000;
const SHOWN_LINES = 15;
const RETENTION_MS = 90 * 86_400_000;
/** How long a server may take to end by itself. */
export const SERVER_GRACE_MS = 10_000;

/**
 * The local Temporal server of `<home>`, started when it does not run. Its state is a file that outlives it, its ports
 * stay the same where they are still free, and closed runs are kept for 90 days. Two calls at once start one server.
 *
 * Throws TG-T05 when there is no Temporal CLI, TG-T06 when the server does not start or the database was written by
 * another version of the CLI.
 */
export async function startLocalServer({
  home,
  cacheDir,
  env,
  report,
}: {
  home: string;
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  report: (line: string) => void;
}): Promise<LocalServer> {
  const running = await answeringServer(home);
  if (running !== null) return running;
  const paths = stackPaths(home);
  await mkdir(paths.dir, { recursive: true });
  return withFileLock({
    file: paths.serverLock,
    timeoutMs: 2 * START_TIMEOUT_MS,
    onTimeout: (pid) =>
      startFailed({ home, reason: `process ${pid ?? '?'} has been starting it for a minute`, log: '' }),
    work: async () => {
      const meanwhile = await answeringServer(home);
      if (meanwhile !== null) return meanwhile;
      const previous = await readServerRecord(home);
      if (previous !== null) await endProcess({ identity: previous, graceMs: SERVER_GRACE_MS });
      const binary = await findTemporalBinary({ env, cacheDir, report });
      await claimDatabase({ home, version: binary.version });
      report('Starting the local Temporal server …');
      return serve({ home, binary, previous, env });
    },
  });
}

/** The recorded server if it runs and answers, else null. */
export async function answeringServer(home: string): Promise<LocalServer | null> {
  const record = await readServerRecord(home);
  if (record === null || !(await isAlive(record))) return null;
  try {
    const { close } = await connectClient({ target: targetOf(record), connectTimeoutMs: 5_000 });
    await close();
    return describe({ record, started: false });
  } catch {
    return null;
  }
}

/** Address and namespace of a recorded server. */
export function targetOf({ port }: Pick<ServerRecord, 'port'>): ServerTarget {
  return { address: `127.0.0.1:${port}`, namespace: LOCAL_NAMESPACE };
}

function describe({ record, started }: { record: ServerRecord; started: boolean }): LocalServer {
  const { pid, version, uiPort } = record;
  return { target: targetOf(record), uiUrl: `http://127.0.0.1:${uiPort}`, pid, version, started };
}

/** Databases are not promised to work with another version, so the version is kept beside the file. */
async function claimDatabase({ home, version }: { home: string; version: string }): Promise<void> {
  const { database, databaseVersion } = stackPaths(home);
  const writtenBy = await readFile(databaseVersion, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
  const present = await stat(database).then(
    () => true,
    () => false,
  );
  if (present && writtenBy !== null && writtenBy !== version) {
    throw new TemporalError({
      code: 'TG-T06',
      what: `The local server's database was written by Temporal CLI ${writtenBy}, and the one at hand is ${version}.`,
      meaning:
        'Databases are not promised to work with another version. Finished results are stored elsewhere and stay.',
      fix: `Set TEMPORAL_CLI_PATH to version ${writtenBy}, or give up the runs in progress: mv ${database} ${database}.old`,
    });
  }
  await writeFile(databaseVersion, `${version}\n`);
}

/**
 * A port can be taken between choosing and using it, so a server that ends at once is tried again: on other ports, or on
 * the same ones when it was a port that Temporal chooses by itself, which then breaks off with a Go panic.
 */
async function serve(start: Parameters<typeof serveOnce>[0]): Promise<LocalServer> {
  let { previous } = start;
  for (let attempt = 1; ; attempt += 1) {
    const result = await serveOnce({ ...start, previous });
    if ('target' in result) return result;
    const isTaken = result.log.includes('address already in use');
    if (attempt >= 3 || !(isTaken || result.log.includes('panic: '))) {
      const log = result.log.split('\n').slice(-SHOWN_LINES).join('\n');
      throw startFailed({ home: start.home, reason: result.reason, log });
    }
    if (isTaken) previous = null;
  }
}

async function serveOnce({
  home,
  binary,
  previous,
  env,
}: {
  home: string;
  binary: TemporalBinary;
  /** Whose ports it takes where they are free. */
  previous: ServerRecord | null;
  env: NodeJS.ProcessEnv;
}): Promise<LocalServer | { reason: string; log: string }> {
  const paths = stackPaths(home);
  const port = await freePort(previous?.port ?? null);
  const uiPort = await freePort(previous?.uiPort ?? null);
  const log = await openLog(paths.serverLog);
  const logStart = (await log.stat()).size;
  const network = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)];
  const server = spawn(binary.path, [...devServerArguments({ database: paths.database }), ...network], {
    cwd: paths.dir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: serverEnvironment(env),
  });
  const spawned = new Promise<boolean>((resolve) => {
    server.once('spawn', () => resolve(true));
    server.once('error', () => resolve(false));
  });
  const startedProcess = (await spawned) && server.pid !== undefined ? await identify(server.pid) : null;
  await log.close();
  server.unref();
  const failed = async (reason: string): Promise<{ reason: string; log: string }> => ({
    reason,
    log: await tailOf({ file: paths.serverLog, fromByte: logStart, maxLines: LOG_LINES }),
  });
  if (startedProcess === null) return failed('it ended at once');

  const record = { ...startedProcess, port, uiPort, version: binary.version };
  await writeRecord({ file: paths.serverRecord, record });
  const problem = await waitUntilReady({ target: targetOf(record), identity: startedProcess });
  if (problem === null) return describe({ record, started: true });
  await endProcess({ identity: startedProcess, graceMs: SERVER_GRACE_MS });
  return failed(problem);
}

/** Waits until the server answers, then sets the namespace up. Returns what went wrong, or null. */
async function waitUntilReady({
  target,
  identity,
}: {
  target: ServerTarget;
  identity: ProcessIdentity;
}): Promise<string | null> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if (!(await isAlive(identity))) return 'it ended while starting';
    try {
      const { connection, close } = await connectClient({ target, connectTimeoutMs: 1_000 });
      try {
        // The dev server keeps closed workflows for a day only.
        await connection.workflowService.updateNamespace({
          namespace: target.namespace,
          config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
        });
        await registerSearchAttributes({ connection, namespace: target.namespace });
        return null;
      } finally {
        await close();
      }
    } catch (error) {
      if (performance.now() >= deadline)
        return `it did not answer within ${START_TIMEOUT_MS / 1000} s: ${(error as Error).message}`;
      await sleep(100);
    }
  }
}

/** The server runs on for days and needs no one's keys. */
function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'USER', 'TMPDIR', 'TZ', 'LANG'];
  return Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function startFailed({ home, reason, log }: { home: string; reason: string; log: string }): TemporalError {
  return new TemporalError({
    code: 'TG-T06',
    what: `The local Temporal server did not start: ${reason}.`,
    meaning: 'No run was started; earlier runs stay in its database.',
    fix: `Read ${stackPaths(home).serverLog}, then try again: testgrad up${log === '' ? '' : `\nIts last lines:\n${log}`}`,
  });
}
