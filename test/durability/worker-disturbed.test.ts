import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { buildCli } from '../support/built-cli.js';
import { meaningOf } from '../support/decisions.js';
import { type DurablePlace, makePlace } from '../support/durable-place.js';
import { sandboxHere } from '../support/instances.js';
import { type MiniProject, makeMiniProject } from '../support/mini-project.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { tracesOf, withoutCounts } from '../support/run-traces.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';

const DISTURB = fileURLToPath(new URL('../support/disturb.mjs', import.meta.url));
/** Longer than a heartbeat may be missing. */
const BLOCKED_MS = 40_000;
const TWO_DAYS_MS = 2 * 86_400_000;

let server: TestServer;
let dir: string;
let project: MiniProject;
const ends: (() => Promise<unknown>)[] = [];
let undisturbed: Promise<Ended>;

interface Ended {
  readonly decision: Decision;
  readonly folder: Readonly<Record<string, string>>;
}

beforeAll(async () => {
  await buildCli();
  server = await startTestServer();
  dir = await mkdtemp(join(tmpdir(), 'testgrad-disturbed-'));
  project = await makeMiniProject({ dir });
  undisturbed = (async () => {
    const place = await openPlace({ name: 'undisturbed', script });
    await place.startWorker();
    return endOf({ place, decision: (await (await place.startRun()).result()) as Decision });
  })();
  undisturbed.catch(() => undefined);
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  for (const end of ends) await end();
  await rm(dir, { recursive: true, force: true });
  await server?.stop();
});

const script = scriptedRun({ updates: MINI_UPDATES.slice(2) });

async function openPlace({ name, script: own }: { name: string; script: Script }): Promise<DurablePlace> {
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  const wish = { name, script: own, files: ['tests/test_slugs.py'], settings: { steps: 1 }, built: true };
  return makePlace({ ...wish, server, dir, project, python, sandbox, ends });
}

async function endOf({ place, decision }: { place: DurablePlace; decision: Decision }): Promise<Ended> {
  const { folder } = await tracesOf({ dir, name: place.input.taskQueue, runId: place.input.runId });
  return { decision: meaningOf(decision), folder: withoutCounts(folder) };
}

const disturbed = (how: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${DISTURB}`,
  TEST_DISTURB: how,
});

describe.concurrent('a worker', () => {
  test('whose event loop is held up loses its work to another, and what it still brings changes nothing', async () => {
    let hold = (): void => undefined;
    const place = await openPlace({
      name: 'blocked',
      script: (request, n) => {
        if (n === 1) hold();
        return script(request, n);
      },
    });
    const first = await place.startWorker(disturbed(`block:${BLOCKED_MS}`));
    // The answer to this request comes to a process that does not look.
    hold = () => process.kill(first.pid, 'SIGUSR2');
    const handle = await place.startRun();
    // The other worker comes later, or it might be the one that is asked.
    await until({ what: 'the first request', done: () => place.model.requests.length > 0 });
    await place.startWorker();
    const decision = (await handle.result()) as Decision;
    expect(await endOf({ place, decision })).toEqual(await undisturbed);
    // The threads behind the loop go on polling: they may have taken the work again, and then nothing is repeated.
    const repeated = place.model.requests.length - 4;
    const usage = totalUsage(decision.usage);
    expect(usage.calls).toBe(4);
    expect([0, 1]).toContain(repeated);
    expect([repeated, 1]).toContain(usage.possibleDuplicates);
    // It comes to itself again, finds that it is late, and goes on as a worker.
    await first.end('SIGTERM');
    expect(await first.ended).toBe(null);
  }, 240_000);

  test('whose clock jumps two days ahead and back ends the run as if nothing had been', async () => {
    let jump = (): void => undefined;
    const place = await openPlace({
      name: 'clock',
      script: (request, n) => {
        // While the first turn and the judge are asked; each answer is stored at another time.
        if (n === 1 || request.role === 'judge') jump();
        return script(request, n);
      },
    });
    const worker = await place.startWorker(disturbed(`clock:${TWO_DAYS_MS},${-TWO_DAYS_MS}`));
    jump = () => process.kill(worker.pid, 'SIGUSR2');
    const decision = (await (await place.startRun()).result()) as Decision;
    expect(await endOf({ place, decision })).toEqual(await undisturbed);
    expect(place.model.requests).toHaveLength(4);
    expect(totalUsage(decision.usage)).toMatchObject({ calls: 4, possibleDuplicates: 0 });
    expect(worker.log().match(/disturbed: clock/g)).toHaveLength(2);
  }, 240_000);
});
