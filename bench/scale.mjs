// `npm run bench:scale [-- --instances N] [--width N] [--median-ms N] [--kill-every S] [--json FILE]`,
// with SCALE_UPDATES and SCALE_READS for shorter runs of an instance: a whole benchmark on a
// real local server with instant executions and a model that takes its time, while its worker is killed again and again.
// Ends with exit code 1 when an item is lost, a history is too long, or more was paid twice than was told.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { getJson, putJson } from '../dist/artifacts/values.js';
import { storePlan } from '../dist/cli/benchmark/store-plan.js';
import { openStore } from '../dist/cli/places.js';
import { presetSettings } from '../dist/core/settings.js';
import { connectClient } from '../dist/workers/connection.js';
import { devServerArguments } from '../dist/workers/dev-server-arguments.js';
import { freePort } from '../dist/workers/free-port.js';
import { findTemporalBinary } from '../dist/workers/temporal-binary.js';
import { CALLS_AN_INSTANCE } from './scale/fakes.mjs';
import { databaseMb, folderUse, markdownTable, processUse } from './scale/measure.mjs';
import { startModel } from './scale/model.mjs';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '500' },
    width: { type: 'string', default: '40' },
    'median-ms': { type: 'string', default: '200' },
    'kill-every': { type: 'string', default: '30' },
    json: { type: 'string' },
  },
});
const [instances, width, medianMs, killEveryS] = ['instances', 'width', 'median-ms', 'kill-every'].map((name) =>
  Number(values[name]),
);
const MAX_EVENTS = 4_096;
const CANDIDATES = 4;
const WORKER = fileURLToPath(new URL('./scale/worker.mjs', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'testgrad-scale-'));
const database = join(home, 'temporal.db');
const children = [];
/** What was measured, when the run is broken off. */
let soFar = null;
async function main() {
  const model = await startModel({ medianMs });
  const server = await startServer();
  const store = await openStore(home, {});
  const settings = presetSettings({ preset: 'balanced', model: 'scale' });
  const { plan, ref } = await storePlan({ store, ...planOf({ settings, patch: await patchesIn(store) }) });
  const { client, close } = await connectClient({ target: { address: server.address, namespace: 'default' } });
  const env = workerEnvironment({ server, model, settings });

  const use = { workerCpu: 0, startCpu: 0, kills: 0, memory: [], database: [] };
  let worker = await startWorker({ env, use });
  soFar = () => ({ use, server: processUse(server.pid), databaseMb: databaseMb(database), model: model.counts() });
  const startedMs = Date.now();
  const handle = await client.workflow.start('benchmark', {
    args: [
      {
        ...{ runId: ref.digest.slice(0, 12), plan: ref, items: plan.items, attempt: 0, width, taskQueue: 'scale' },
        ...{ budget: { maxTokens: null, maxUsd: null }, upsertSearchAttributes: true, reconcileEveryMs: 60_000 },
      },
    ],
    taskQueue: 'scale',
    workflowId: `testgrad/bench/${ref.digest.slice(0, 12)}`,
  });
  let end = null;
  const ended = resultOf(handle).then((value) => {
    end = value;
  });
  let [bornMs, sampledMs] = [Date.now(), 0];
  while (end === null) {
    await Promise.race([ended, sleep(500)]);
    const now = Date.now();
    const seen = processUse(worker.pid);
    if (seen !== null) worker.cpu = seen.cpuSeconds;
    if (now - sampledMs > 5_000 && seen !== null) {
      sampledMs = now;
      use.memory.push({
        atS: Math.round((now - startedMs) / 1000),
        rssMb: Math.round(seen.rssMb),
        ageS: Math.round((now - bornMs) / 1000),
      });
      use.database.push(databaseMb(database));
      process.stderr.write(`${use.memory.at(-1).atS} s: ${model.counts().paid} answers, ${use.kills} kills\n`);
    }
    if (end === null && killEveryS > 0 && now - bornMs > killEveryS * 1000) {
      await endWorker({ worker, use });
      use.kills += 1;
      worker = await startWorker({ env, use });
      bornMs = Date.now();
    }
  }
  const wallS = (Date.now() - startedMs) / 1000;
  await sleep(3_000);
  await endWorker({ worker, use });
  const serverUse = processUse(server.pid);
  const events = await eventsOf(client);
  await close();
  model.close();
  const told = await toldDuplicates({ store, end });
  return report({
    told,
    plan,
    end,
    wallS,
    use,
    serverUse,
    events,
    counts: model.counts(),
    store: await folderUse(join(home, 'store')),
  });
}

/** A server under load lets a call run out of time; the result is asked for again. */
async function resultOf(handle) {
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (error.name !== 'ServiceError') throw error;
      await sleep(1_000);
    }
  }
}

function planOf({ settings, patch }) {
  const agents = Array.from({ length: CANDIDATES }, (_, at) => `agent-${at + 1}`);
  const row = patch[0];
  return {
    about: {
      ...{ name: 'scale', dataset: { key: 'scale', split: 'test', revision: null }, agents, sizes: [CANDIDATES] },
      arms: [{ kind: 'run', name: 'testgrad', method: 'testgrad', ablation: null, settings }],
    },
    instances: Array.from({ length: instances }, (_, at) => ({
      instanceId: `project__scale-${at + 1}`,
      row,
      source: { kind: 'docker', image: 'none', timeoutMs: 1000 },
      slots: agents.map((agent, index) => ({ agent, kind: 'patch', patch: patch[index] })),
    })),
  };
}

function patchesIn(store) {
  const patches = Array.from({ length: CANDIDATES }, (_, at) => ({ patch: at }));
  return Promise.all(patches.map((value) => putJson({ store, value })));
}

async function startServer() {
  const { path } = await findTemporalBinary({ env: process.env, cacheDir: join(tmpdir(), 'testgrad-cache') });
  const port = await freePort(null);
  const argv = [...devServerArguments({ database }), '--headless', '--ip', '127.0.0.1', '--port', `${port}`];
  const child = spawn(path, [...argv, '--log-level', 'never'], { stdio: 'ignore' });
  children.push(child);
  const address = `127.0.0.1:${port}`;
  for (let tries = 0; tries < 120; tries += 1) {
    try {
      await (await connectClient({ target: { address, namespace: 'default' } })).close();
      return { address, pid: child.pid };
    } catch {
      await sleep(500);
    }
  }
  throw new Error('The server did not start.');
}

function workerEnvironment({ server, model, settings }) {
  return {
    ...{ PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() },
    ...{ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-scale-0123456789', TESTGRAD_PRICE: '0.30,1.20,0.03' },
    ...{ SCALE_ADDRESS: server.address, SCALE_HOME: home, SCALE_QUEUE: 'scale' },
    ...(process.env.SCALE_UPDATES === undefined ? {} : { SCALE_UPDATES: process.env.SCALE_UPDATES }),
    ...(process.env.SCALE_READS === undefined ? {} : { SCALE_READS: process.env.SCALE_READS }),
    SCALE_SETTINGS: JSON.stringify(settings),
  };
}

/** Starts a worker and waits until it polls; what it took until then is counted apart. */
async function startWorker({ env, use }) {
  const child = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let log = '';
  await new Promise((resolve, reject) => {
    const read = (chunk) => {
      if (log.length < 100_000) log += chunk;
      if (log.includes('worker polls')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`the worker ended: ${log.slice(-2_000)}`)));
  });
  const startCpu = processUse(child.pid)?.cpuSeconds ?? 0;
  use.startCpu += startCpu;
  return { child, pid: child.pid, cpu: startCpu, startCpu };
}

async function endWorker({ worker, use }) {
  const exited = new Promise((resolve) => worker.child.once('exit', resolve));
  worker.cpu = processUse(worker.pid)?.cpuSeconds ?? worker.cpu;
  worker.child.removeAllListeners('exit');
  const gone = new Promise((resolve) => worker.child.once('exit', resolve));
  worker.child.kill('SIGKILL');
  await Promise.race([gone, exited]);
  use.workerCpu += worker.cpu - worker.startCpu;
}

/** Lengths of histories by workflow type. */
async function eventsOf(client) {
  const lengths = new Map();
  for await (const { type, historyLength } of client.workflow.list()) {
    lengths.set(type, [...(lengths.get(type) ?? []), historyLength]);
  }
  return lengths;
}

/** Calls that results name as perhaps paid twice. */
async function toldDuplicates({ store, end }) {
  const { items } = await getJson({ store, ref: end.results });
  let told = 0;
  for (const item of items) {
    if (item.kind === 'finished') told += (await getJson({ store, ref: item.result })).usage.possibleDuplicates;
  }
  return told;
}

function report({ told, plan, end, wallS, use, serverUse, events, counts, store }) {
  const each = (value) => (value / instances).toFixed(2);
  const longest = Math.max(...[...events.values()].flat());
  const young = use.memory.filter(({ ageS }) => ageS >= 10).map(({ rssMb }) => rssMb);
  const half = Math.ceil(young.length / 2);
  const mean = (list) =>
    list.length === 0 ? 0 : Math.round(list.reduce((sum, value) => sum + value, 0) / list.length);
  const cpu = use.workerCpu + serverUse.cpuSeconds;
  const rows = [
    ['instances × candidates, width', `${instances} × ${CANDIDATES}, ${width}`],
    ['model: median time, calls an instance', `${medianMs} ms, ${CALLS_AN_INSTANCE}`],
    ['wall time', `${wallS.toFixed(0)} s`],
    ['finished, errors, missing', `${end.finished}, ${end.errors}, ${end.missing}`],
    ['workers killed with SIGKILL', `${use.kills}`],
    ['CPU of workers in work', `${use.workerCpu.toFixed(0)} s, ${each(use.workerCpu)} s an instance`],
    ['CPU of the server', `${serverUse.cpuSeconds.toFixed(0)} s, ${each(serverUse.cpuSeconds)} s an instance`],
    ['both an instance (goal: under 1.5 s)', `${each(cpu)} s`],
    ['CPU of starting workers', `${use.startCpu.toFixed(0)} s for ${use.kills + 1} starts`],
    [
      'memory of a worker older than 10 s: most, mean of the first and second half',
      `${Math.max(0, ...young)} MB, ${mean(young.slice(0, half))} and ${mean(young.slice(half))} MB`,
    ],
    ['memory of the server at the end', `${serverUse.rssMb.toFixed(0)} MB`],
    ...[...events].map(([type, lengths]) => [
      `events of ${type}: histories, mean, most`,
      `${lengths.length}, ${mean(lengths)}, ${Math.max(...lengths)}`,
    ]),
    [
      'database',
      `${databaseMb(database).toFixed(0)} MB, ${((databaseMb(database) / instances) * 1000).toFixed(0)} KB an instance`,
    ],
    [
      'store',
      `${store.mb.toFixed(0)} MB in ${store.files} files, ${((store.mb / instances) * 1000).toFixed(0)} KB an instance`,
    ],
    ['answers of the model: distinct, paid, paid again', `${counts.distinct}, ${counts.paid}, ${counts.paidAgain}`],
    ['calls that results name as perhaps paid twice', `${told}`],
    ['requests whose sender was killed before the answer', `${counts.cut}`],
    ['sent to and from the model', `${(counts.bytesIn / 1e6).toFixed(0)} and ${(counts.bytesOut / 1e6).toFixed(0)} MB`],
  ];
  const problems = [
    ...(end.finished === plan.items ? [] : [`${plan.items - end.finished} items have no result`]),
    ...(longest < MAX_EVENTS ? [] : [`a history has ${longest} events`]),
    ...(counts.distinct === plan.items * CALLS_AN_INSTANCE ? [] : [`${counts.distinct} distinct calls were answered`]),
    // An answer that arrives in the very moment of a kill cannot be kept; it must be told.
    ...(counts.paidAgain <= told ? [] : [`${counts.paidAgain} calls were paid again, ${told} were told`]),
  ];
  process.stdout.write(
    `${markdownTable(['', ''], rows)}\n\nMemory over time (s: MB): ${use.memory
      .filter((_, at) => at % 6 === 0)
      .map(({ atS, rssMb }) => `${atS}: ${rssMb}`)
      .join(', ')}\n`,
  );
  process.stdout.write(
    `Database over time (MB): ${use.database
      .filter((_, at) => at % 6 === 0)
      .map((mb) => mb.toFixed(0))
      .join(', ')}\n`,
  );
  for (const problem of problems) process.stdout.write(`WRONG: ${problem}\n`);
  if (values.json !== undefined)
    writeFileSync(values.json, JSON.stringify({ rows: Object.fromEntries(rows), use, counts }, null, 2));
  return problems.length === 0 ? 0 : 1;
}

const clearUp = () => {
  for (const child of children) child.kill('SIGKILL');
};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    process.stdout.write(`Broken off by ${signal}: ${JSON.stringify(soFar?.())}\n`);
    clearUp();
    rmSync(home, { recursive: true, force: true });
    process.exit(1);
  });
}
let exitCode = 1;
try {
  exitCode = await main();
} finally {
  clearUp();
  await sleep(500);
  rmSync(home, { recursive: true, force: true });
}
process.exit(exitCode);
