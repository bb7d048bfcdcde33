import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { buildCli } from '../support/built-cli.js';
import { meaningOf } from '../support/decisions.js';
import { type DurablePlace, makePlace } from '../support/durable-place.js';
import { type MiniProject, makeMiniProject } from '../support/mini-project.js';
import { pythonWithPytest } from '../support/python-venv.js';
import {
  executedAgain,
  executionLog,
  PAID_TWICE,
  type RunTraces,
  tracesOf,
  withoutCounts,
} from '../support/run-traces.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import type { WorkerProcess } from '../support/worker-process.js';

/** What a crash costs at most: turns of the model asked again, turns that may be, and test files executed again. */
interface Cost {
  readonly asked?: number;
  readonly possibleDuplicates?: number;
  readonly executed?: number;
}

/** As many as are in work at one time. */
const IN_WORK = availableParallelism();
/** Each run loses two workers one after the other, at these places. */
const RUNS: readonly { readonly failpoints: readonly string[]; readonly cost: Cost }[] = [
  // Outcomes of the base are kept when all of its files have ended.
  { failpoints: ['before-bind:file-outcome', 'end:applyEdit'], cost: { executed: IN_WORK + 1 } },
  { failpoints: ['after-bind:file-outcome@4', 'begin:mineMomentum'], cost: { executed: IN_WORK } },
  // A line is written, and nothing was sent: that cannot be known afterwards.
  { failpoints: ['before-bind:file-outcome@6', 'after-line'], cost: { executed: IN_WORK, possibleDuplicates: 1 } },
  { failpoints: ['end:executeSuite', 'end:mineMomentum'], cost: { executed: IN_WORK } },
  { failpoints: ['after-answer:optimizer', 'end:checkerTurn'], cost: { asked: 1, possibleDuplicates: 1 } },
  { failpoints: ['after-answer:checker', 'before-bind:decision'], cost: { asked: 1, possibleDuplicates: 1 } },
  { failpoints: ['after-bind:llm-turn', 'end:finishInstance'], cost: {} },
];

let server: TestServer;
let dir: string;
let project: MiniProject;
const runs: { readonly place: DurablePlace; readonly ended: Promise<Ended> }[] = [];
let undisturbed: Ended;
const ends: (() => Promise<unknown>)[] = [];
/** After a failure runs must not start workers that nobody ends. */
let over = false;

/** What a run came to. */
interface Ended extends RunTraces {
  readonly decision: Decision;
}

beforeAll(async () => {
  await buildCli();
  server = await startTestServer();
  dir = await mkdtemp(join(tmpdir(), 'testgrad-failpoints-'));
  project = await makeMiniProject({ dir, files: { 'conftest.py': executionLog(dir) } });
  const python = await pythonWithPytest();
  // Sandboxes that outlive their worker, which is what has to be cleared away; and a log of what was executed.
  const shared = { server, dir, project, python, sandbox: 'none' as const, built: true, ends };
  const script = scriptedRun({ updates: [MINI_UPDATES[0] ?? [], MINI_UPDATES[2] ?? []] });
  const files = ['tests/test_slugs.py', 'tests/test_other.py'];
  const settings = { steps: 2 };
  const plain = await makePlace({ ...shared, name: 'undisturbed', script, files, settings });
  undisturbed = await runWith({ place: plain, failpoints: [] });
  // All at one time: most of a run is waiting until the server misses a dead worker.
  for (const [n, { failpoints }] of RUNS.entries()) {
    const place = await makePlace({ ...shared, name: `run-${n}`, script, files, settings });
    const ended = runWith({ place, failpoints });
    ended.catch(() => undefined);
    runs.push({ place, ended });
  }
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  over = true;
  for (const end of ends) await end();
  await rm(dir, { recursive: true, force: true });
  await server?.stop();
});

async function runWith({ place, failpoints }: { place: DurablePlace; failpoints: readonly string[] }): Promise<Ended> {
  const handle = await place.startRun();
  const startWorker = async (env?: Readonly<Record<string, string>>): Promise<WorkerProcess> => {
    const worker = await place.startWorker(env);
    if (over) await worker.end('SIGKILL');
    return worker;
  };
  for (const failpoint of failpoints) {
    const victim = await startWorker({ TESTGRAD_FAILPOINT: failpoint });
    expect(await victim.ended).toBe('SIGKILL');
  }
  const worker = await startWorker();
  const decision = (await handle.result()) as Decision;
  await worker.end('SIGTERM');
  return { decision, ...(await tracesOf({ dir, name: place.input.taskQueue, runId: place.input.runId })) };
}

describe('a worker that is killed', () => {
  test.each(RUNS.map(({ failpoints, cost }, n) => ({ name: failpoints.join(' and '), cost, n })))(
    'at $name: the same decision and report, and nothing of what had ended is done again',
    async ({ cost, n }) => {
      const { place, ended } = runs[n] as (typeof runs)[number];
      const { decision, folder, executions, left } = await ended;
      expect(meaningOf(decision)).toEqual(meaningOf(undisturbed.decision));
      expect(withoutCounts(folder)).toEqual(withoutCounts(undisturbed.folder));

      expect(PAID_TWICE.test(folder['report.md'] ?? '')).toBe(cost.possibleDuplicates !== undefined);
      const digests = place.model.requests.map(({ digest }) => digest);
      expect(digests.length - new Set(digests).size).toBe(cost.asked ?? 0);
      // By the model's own count: as many different requests as there are calls in the books, and no more repeated than
      // the books say.
      const { calls, possibleDuplicates } = totalUsage(decision.usage);
      expect({ calls, possibleDuplicates }).toEqual({
        calls: new Set(digests).size,
        possibleDuplicates: cost.possibleDuplicates ?? 0,
      });
      const again = executedAgain({ executions, undisturbed: undisturbed.executions });
      expect(again).toBeLessThanOrEqual(cost.executed ?? 0);
      expect(left).toEqual({ copies: [], processes: [] });
    },
    240_000,
  );

  test('leaves the repository as it was', async () => {
    const { stdout } = await execa('git', ['status', '--porcelain', '--ignored'], { cwd: project.repoDir });
    expect(stdout).toBe('');
  });
});
