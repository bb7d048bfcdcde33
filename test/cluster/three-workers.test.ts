import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DECISION_KIND } from '../../src/core/state-folder.js';
import { runCli } from '../cli/run-cli.js';
import { type MiniProject, makeMiniProject, slowTests } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';
import { hasBubblewrap } from '../support/sandboxes.js';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { until } from '../support/until.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';
import { type Postgres, startPostgres } from './postgres.js';
import { startTemporalCluster, type TemporalCluster } from './temporal-cluster.js';

/** Folder of Temporal's programs; `npm run test:cluster` builds them and names it. */
const BIN = process.env.TESTGRAD_CLUSTER_BIN;
const PREPARE = fileURLToPath(new URL('../../scripts/prepare-cluster.mjs', import.meta.url));
const HOSTS = ['host-1', 'host-2', 'host-3'];
const SLOW = Object.keys(slowTests(2));
const RUNS = [...Array(4).keys()];
/** The given test files on two candidates and on the base, for each run and for the matrix. */
const OUTCOMES_AT_LEAST = (SLOW.length + 1) * 3 * (RUNS.length + 1);

let dir: string;
let postgres: Postgres;
let temporal: TemporalCluster;
let s3: S3Server;
let model: ScriptedModel;
let project: MiniProject;
let inputs: string[];
const workers = new Map<string, WorkerProcess>();

beforeAll(async () => {
  if (BIN === undefined) return;
  dir = await mkdtemp(join(tmpdir(), 'testgrad-cluster-'));
  postgres = await startPostgres({ dir });
  temporal = await startTemporalCluster({ bin: BIN, dir, postgres });
  const started = await startS3Server();
  if (started === null) throw new Error('the cluster needs an S3-compatible server');
  s3 = started;
  // What docker-compose.yml runs as its service `prepare`; again, because it is run at every start.
  const env = { ...storeEnv(), TEMPORAL_ADDRESS: temporal.target.address };
  for (const _ of ['first', 'again']) await execa(process.execPath, [PREPARE], { env });
  model = await startScriptedModel({ script: scriptedRun({ updates: MINI_UPDATES.slice(2) }) });
  project = await makeMiniProject({ dir, files: slowTests(2) });
  const python = await pythonWithPytest();
  const sandbox = (await hasBubblewrap()) ? 'bubblewrap' : 'none';
  const patches = ['right', 'example-only'].flatMap((agent) => ['--patch', `${agent}=${project.patches[agent]}`]);
  const files = ['tests/test_slugs.py', ...SLOW].flatMap((file) => ['--test-file', file]);
  inputs = ['--repo', project.repoDir, '--python', python, '--sandbox', sandbox, ...patches, ...files];
}, 240_000);

afterAll(async () => {
  if (BIN === undefined) return;
  for (const worker of workers.values()) await worker.end('SIGKILL');
  await temporal?.kill();
  await postgres?.stop();
  await s3?.close();
  await model?.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

const storeEnv = (): Record<string, string> => ({ ...s3.env, TESTGRAD_ARTIFACTS: 's3://cluster/artifacts' });

async function startWorker(host: string): Promise<void> {
  const env = { ...storeEnv(), OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-test-0123456789' };
  const worker = await spawnWorker({ server: temporal, home: join(dir, host), taskQueue: 'testgrad', env });
  workers.set(host, worker);
}

/** A command on a fourth machine, which has a state folder of its own and no key of the model. */
async function cli(args: readonly string[]) {
  const env = { ...storeEnv(), TEMPORAL_ADDRESS: temporal.target.address };
  const finished = await runCli({ args, home: join(dir, 'client'), cwd: dir, env });
  if (finished.exitCode !== 0) throw new Error(finished.stderr);
  return finished;
}

async function boundNames(kind: string): Promise<string[]> {
  const query = `prefix=artifacts/refs/${kind}/&list-type=2&max-keys=1000`;
  const listing = await (await fetch(`${s3.endpoint}/cluster?${query}`)).text();
  return [...listing.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key ?? '');
}

const outcomes = async (): Promise<number> => (await boundNames('file-outcome')).length;

test.skipIf(BIN === undefined)(
  'selections on three hosts finish although a worker and then the server are killed',
  async () => {
    for (const host of HOSTS) await startWorker(host);
    const select = (n: number): string[] => [
      ...['select', ...inputs, '--issue', project.issueFile, '--model', 'scripted', '--steps', '1'],
      // Another limit is another environment: no run finds its outcomes already stored by another one.
      ...['--timeout', String(100 + n), '--detach', '--json'],
    ];
    // A command that watches its run all the time, and sees the server go and come back.
    const matrix = cli(['matrix', ...inputs, '--timeout', '99', '--json']);
    const started = await Promise.all(RUNS.map((n) => cli(select(n))));
    const ids = started.map(({ stdout }) => (JSON.parse(stdout) as { run: { id: string } }).run.id);
    expect(new Set(ids).size).toBe(RUNS.length);

    await until({ what: 'the first outcomes', done: async () => (await outcomes()) >= 6 });
    const [victim = ''] = HOSTS;
    await workers.get(victim)?.end('SIGKILL');
    const afterWorker = await outcomes();
    expect(afterWorker).toBeLessThan(OUTCOMES_AT_LEAST);
    await until({
      what: 'some more',
      done: async () => (await outcomes()) >= Math.min(afterWorker + 6, OUTCOMES_AT_LEAST),
    });
    await temporal.kill();
    expect(await boundNames(DECISION_KIND)).not.toHaveLength(RUNS.length);
    await sleep(3_000);
    await temporal.start();

    const watched = await Promise.all(ids.map((id) => cli(['watch', id, '--json'])));
    const results = watched.map(({ stdout }) => JSON.parse(stdout));
    for (const result of results) expect(result).toMatchObject({ outcome: 'differential', selected: 'right' });
    expect(JSON.parse((await matrix).stdout)).toMatchObject({ schema: 'testgrad.matrix-run/1' });
    expect(await boundNames(DECISION_KIND)).toHaveLength(RUNS.length);
    expect((await cli(['show', ids[0] ?? ''])).stdout).toContain('right');

    // Each call of the model is paid once, but for those that a kill fell into, which are counted.
    const usage = results.flatMap(({ decision }) => decision.usage as { usage: Record<string, number> }[]);
    const sum = (field: string): number => usage.reduce((total, entry) => total + (entry.usage[field] ?? 0), 0);
    expect(model.requests.length).toBe(sum('calls') + sum('possibleDuplicates'));

    // The work was shared, and a host that was killed takes part again and leaves nothing behind.
    await startWorker(victim);
    for (const host of HOSTS) expect(await readdir(join(dir, host, 'work', 'trees'))).not.toEqual([]);
    for (const worker of workers.values()) await worker.end('SIGTERM');
    for (const host of HOSTS) expect(processesOf(join(dir, host))).toEqual([]);
  },
  600_000,
);
