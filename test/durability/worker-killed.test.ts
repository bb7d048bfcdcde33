import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import { openStore } from '../../src/cli/places.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { Decision } from '../../src/core/decision.js';
import type { TestEnvironment } from '../../src/core/instance.js';
import type { FileOutcome } from '../../src/core/outcome.js';
import { totalUsage } from '../../src/core/usage.js';
import { buildCli } from '../support/built-cli.js';
import { meaningOf } from '../support/decisions.js';
import { type DurablePlace, makePlace } from '../support/durable-place.js';
import { watchExecutions } from '../support/executions.js';
import { resultsOf } from '../support/histories.js';
import { sandboxHere } from '../support/instances.js';
import { type MiniProject, makeMiniProject, slowTests } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun, turnOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';

const SLOW = Object.keys(slowTests(3));
const FILES = ['tests/test_slugs.py', ...SLOW];
/** Two candidates and the base. */
const COLUMNS = 3;

let server: TestServer;
let dir: string;
let project: MiniProject;
let python: string;
let sandbox: TestEnvironment['sandbox'];
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await buildCli();
  server = await startTestServer();
  dir = await mkdtemp(join(tmpdir(), 'testgrad-durability-'));
  project = await makeMiniProject({ dir, files: slowTests(3) });
  [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  for (const end of ends) await end();
  await rm(dir, { recursive: true, force: true });
  await server?.stop();
});

async function openPlace({ name, script }: { name: string; script: Script }): Promise<
  DurablePlace & {
    /** Test files of the outcomes in the store, one for each. */
    readonly outcomes: () => Promise<string[]>;
  }
> {
  const run = { name, script, files: FILES, settings: { steps: 1 }, built: true };
  const place = await makePlace({ server, dir, project, python, sandbox, ends, ...run });
  return {
    ...place,
    outcomes: async () => {
      const bound = join(place.home, 'store', 'refs', 'file-outcome');
      const names = await readdir(bound).catch((): string[] => []);
      const refs = await Promise.all(names.map((name) => readFile(join(bound, name), 'utf8')));
      const store = await openStore(place.home);
      const outcomes = await Promise.all(
        refs.map((ref) => getJson<FileOutcome>({ store, ref: JSON.parse(ref) as ArtifactRef })),
      );
      return outcomes.map(({ file }) => file);
    },
  };
}

const script = scriptedRun({ updates: MINI_UPDATES.slice(2) });
let undisturbed: Promise<Decision> | undefined;

/** What the run comes to when nobody is killed. */
function undisturbedDecision(): Promise<Decision> {
  undisturbed ??= (async () => {
    const place = await openPlace({ name: 'undisturbed', script });
    const worker = await place.startWorker();
    const decision = (await (await place.startRun()).result()) as Decision;
    await worker.end('SIGTERM');
    return decision;
  })();
  return undisturbed;
}

describe.concurrent('a worker that is killed', () => {
  test('in the middle of a forward pass: no finished test file runs again', async () => {
    const place = await openPlace({ name: 'forward', script });
    const watch = watchExecutions({ home: place.home });
    ends.push(async () => watch.end());
    const first = await place.startWorker();
    const handle = await place.startRun();
    // The base is done, of the candidates some files are, and others are in work.
    await until({
      what: 'the middle of the forward pass',
      done: async () => (await place.outcomes()).length >= FILES.length + 2 && watch.running().length > 0,
    });
    await first.end('SIGKILL');
    const finished = await place.outcomes();
    const all = FILES.length * COLUMNS;
    expect(finished.length).toBeLessThan(all);
    await until({ what: 'the end of its sandboxes', done: () => watch.running().length === 0 });
    const before = watch.seen().size;

    const second = await place.startWorker();
    const decision = (await handle.result()) as Decision;
    const suites = resultsOf<{ executed: number; reused: number }>({
      history: await handle.fetchHistory(),
      activity: 'executeSuite',
    });
    const firstPass = suites.slice(0, COLUMNS);
    expect(firstPass.reduce((sum, { reused }) => sum + reused, 0)).toBe(finished.length);
    expect(firstPass.reduce((sum, { executed }) => sum + executed, 0)).toBe(all - finished.length);
    // What was seen from outside says the same; these take a second each, so that none can be overlooked.
    const isSlow = (file: string): boolean => SLOW.includes(file);
    const executedAgain = [...watch.seen().values()].slice(before).filter(isSlow);
    expect(executedAgain).toHaveLength(SLOW.length * COLUMNS - finished.filter(isSlow).length);

    const { requests } = place.model;
    expect(new Set(requests.map(({ digest }) => digest)).size).toBe(requests.length);
    expect(totalUsage(decision.usage).possibleDuplicates).toBe(0);
    const plain = await undisturbedDecision();
    expect(meaningOf(decision)).toEqual(meaningOf(plain));
    await second.end('SIGTERM');
    expect(processesOf(place.home)).toEqual([]);
  }, 240_000);

  test('in the middle of a Read: no answered turn of the model is asked again', async () => {
    let hold = true;
    let held = false;
    const reading: Script = async (request, n) => {
      if (request.role !== 'optimizer') return script(request, n);
      if (turnOf(request) === 1) return { toolCalls: [{ name: 'search', arguments: { pattern: 'def slugify' } }] };
      if (turnOf(request) === 2 && hold) {
        held = true;
        // Answered when nobody listens any more.
        await until({ what: 'the kill', done: () => !hold });
      }
      return script(request, n);
    };
    const place = await openPlace({ name: 'read', script: reading });
    const first = await place.startWorker();
    const handle = await place.startRun();
    await until({ what: 'the third turn', done: () => held });
    await first.end('SIGKILL');
    hold = false;

    const second = await place.startWorker();
    const decision = (await handle.result()) as Decision;
    const { requests } = place.model;
    // The one whose answer nobody got was sent again; that it may have been paid twice is said.
    const counts = requests.map(({ digest }) => place.model.count({ digest }));
    expect(requests.map(({ role }) => role)).toEqual([...Array(4).fill('optimizer'), 'judge', 'checker']);
    expect(counts).toEqual([1, 1, 2, 2, 1, 1]);
    expect(totalUsage(decision.usage)).toMatchObject({ calls: 5, possibleDuplicates: 1 });

    // One more turn of reading than in the undisturbed run: the same answer.
    const plain = await undisturbedDecision();
    const { kind, selected, decidingTests, leaders, reason, artifacts } = plain;
    expect(decision).toMatchObject({ kind, selected, decidingTests, leaders, reason, artifacts });
    await second.end('SIGTERM');
    expect(processesOf(place.home)).toEqual([]);
  }, 240_000);
});
