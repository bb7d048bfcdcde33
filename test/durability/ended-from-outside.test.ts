import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { slowTests } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun, turnOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

/** How long the endpoint answers nothing but errors. */
const OUTAGE_MS = 60_000;

let server: TestServer;
let bench: Workbench;
let worker: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  server = await startTestServer();
  bench = await openWorkbench({ server, files: slowTests(3) });
  worker = await startBenchWorker({ server, bench });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  await worker?.stop();
  await bench?.remove();
  await server?.stop();
});

const script = scriptedRun({ updates: MINI_UPDATES.slice(2) });
const wish = { agents: ['right', 'example-only'], settings: { steps: 1 } };

describe.concurrent('a run', () => {
  test('that an operator terminates has its sandboxes end, and begun again it goes on and clears up', async () => {
    const input = await bench.prepare({ ...wish, name: 'terminated', script, flags: { timeout: '61' } });
    const ownPaths = join(bench.home, 'work', 'runs', input.runId);
    const handle = await bench.start(input);
    await until({ what: 'a sandbox', done: () => processesOf(ownPaths).length > 0 });
    await handle.terminate('by hand');
    // Nothing tells a worker but the answer to its next heartbeat.
    await until({ what: 'the end of its sandboxes', done: () => processesOf(ownPaths).length === 0, withinMs: 20_000 });

    const decision = (await (await bench.start(input)).result()) as Decision;
    expect(decision).toMatchObject({ kind: 'differential', selected: 'right' });
    expect(processesOf(ownPaths)).toEqual([]);
    const digests = bench.requests('terminated').map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  }, 120_000);

  test('waits while the endpoint is down, and pays for no answer that it did not get', async () => {
    let downSince = 0;
    const failing: Script = (request, n) => {
      if (request.role === 'optimizer' && turnOf(request) === 1) {
        downSince ||= Date.now();
        if (Date.now() - downSince < OUTAGE_MS)
          return n % 2 === 0 ? { cut: true } : { status: 502, body: 'bad gateway' };
      }
      return script(request, n);
    };
    const { decision } = await bench.select({ ...wish, name: 'outage', script: failing, flags: { timeout: '62' } });
    expect(decision).toMatchObject({ kind: 'differential', selected: 'right' });
    const usage = totalUsage(decision.usage);
    // A connection that was cut may have been answered, which nobody knows; a refusal was not.
    expect(usage.calls).toBe(4);
    expect(bench.requests('outage').length).toBeGreaterThan(usage.calls + 1);
    expect(usage.possibleDuplicates).toBe(0);
  }, 240_000);
});
