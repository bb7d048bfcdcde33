import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { WORKER_GRACE_MS } from '../../src/workers/local-worker.js';
import { buildCli } from '../support/built-cli.js';
import { watchExecutions } from '../support/executions.js';
import { slowTests } from '../support/mini-project.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';
import { openWorkbench, type Workbench } from '../support/workbench.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';

const SLOW = Object.keys(slowTests(2));
/** Two candidates and the base. */
const COLUMNS = 3;
const ANSWER_AFTER_MS = 4_000;

let server: TestServer;
let bench: Workbench;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await buildCli();
  server = await startTestServer();
  bench = await openWorkbench({ server, files: slowTests(2) });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  for (const end of ends) await end();
  await bench?.remove();
  await server?.stop();
});

async function startWorker(taskQueue: string): Promise<WorkerProcess> {
  const env = { OPENAI_BASE_URL: bench.model.baseUrl, OPENAI_API_KEY: 'sk-test-0123456789' };
  const worker = await spawnWorker({ server, home: bench.home, taskQueue, env, built: true });
  ends.push(() => worker.end('SIGKILL'));
  return worker;
}

const script = scriptedRun({ updates: MINI_UPDATES.slice(2) });
const wish = { agents: ['right', 'example-only'], settings: { steps: 1 } };

test.concurrent('a worker that is told to stop ends the call of the model it waits for: nothing is paid twice', async () => {
  let asked = 0;
  const slowly: Script = async (request, n) => {
    asked += 1;
    if (asked === 1) await new Promise((resolve) => setTimeout(resolve, ANSWER_AFTER_MS));
    return script(request, n);
  };
  const name = 'stopped-in-a-call';
  // None of the files that the other test counts.
  const flags = { testFile: ['tests/test_slugs.py'] };
  const input = await bench.prepare({ ...wish, name, taskQueue: name, script: slowly, flags });
  const first = await startWorker(name);
  const handle = await bench.start(input);
  await until({ what: 'the first call', done: () => asked === 1 });
  const stoppedMs = Date.now();
  await first.end('SIGTERM');
  // It waited for the answer, and not longer than `testgrad down` waits for a worker.
  expect(Date.now() - stoppedMs).toBeLessThan(WORKER_GRACE_MS);

  await startWorker(name);
  const decision = (await handle.result()) as Decision;
  const counts = bench.requests(name).map(({ digest }) => bench.model.count({ digest }));
  expect(counts).toEqual(counts.map(() => 1));
  expect(totalUsage(decision.usage)).toMatchObject({ calls: counts.length, possibleDuplicates: 0 });
}, 240_000);

test.concurrent('a worker that is told to stop ends the test files it is in, and the next one begins with the others', async () => {
  const name = 'stopped-in-a-suite';
  const watch = watchExecutions({ home: bench.home });
  ends.push(async () => watch.end());
  const input = await bench.prepare({
    ...wish,
    name,
    taskQueue: name,
    script,
    flags: { testFile: SLOW, timeout: '60' },
  });
  const first = await startWorker(name);
  const handle = await bench.start(input);
  // Behind the base, whose files are executed by the preparation one after the other.
  const slowSeen = (): number => [...watch.seen().values()].filter((file) => SLOW.includes(file)).length;
  await until({ what: 'the forward pass', done: () => slowSeen() > SLOW.length });
  await first.end('SIGTERM');
  expect(slowSeen()).toBeLessThan(SLOW.length * COLUMNS);

  await startWorker(name);
  await handle.result();
  expect(slowSeen()).toBe(SLOW.length * COLUMNS);
}, 240_000);
