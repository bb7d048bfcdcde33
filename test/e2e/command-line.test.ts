import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { listWorkerRecords, readServerRecord } from '../../src/workers/stack-files.js';
import { buildCli, type Finished, type Running, startCli } from '../support/built-cli.js';
import { meaningOf } from '../support/decisions.js';
import { fingerprint } from '../support/fingerprint.js';
import { sandboxHere } from '../support/instances.js';
import { type MiniProject, makeMiniProject } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { killNow } from '../support/stack-home.js';
import { until } from '../support/until.js';

const API_KEY = 'sk-e2e-0123456789abcdef';
/** A failed update, so that momentum is mined, then one that separates the two candidates. */
const plainScript = scriptedRun({ updates: [MINI_UPDATES[0] ?? [], MINI_UPDATES[2] ?? []] });
/** Two turns an update, the judge and the checker. */
const CALLS = 6;

let dir: string;
/** State folder of most commands, and one of a machine that has no model. */
let home: string;
let otherHome: string;
let project: MiniProject;
let untouched: Readonly<Record<string, string>>;
let inputs: readonly string[];
let model: ScriptedModel;
let script: Script = plainScript;
const releases: (() => void)[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-e2e-'));
  [home, otherHome] = [join(dir, 'home'), join(dir, 'other-home')];
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  project = await makeMiniProject({ dir });
  untouched = await fingerprint(project.repoDir);
  model = await startScriptedModel({ script: (request, n) => script(request, n) });
  const patches = ['right', 'example-only'].flatMap((agent) => ['--patch', `${agent}=${project.patches[agent]}`]);
  const { repoDir, issueFile } = project;
  inputs = ['--repo', repoDir, '--issue', issueFile, ...patches, '--python', python, '--sandbox', sandbox];
  await buildCli();
}, 240_000);

afterAll(async () => {
  for (const each of [home, otherHome]) await stopLocalStack({ home: each, workerGraceMs: 5_000 });
  await model?.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

// A test that fails must not leave the next ones a model that waits.
afterEach(() => {
  script = plainScript;
  for (const release of releases.splice(0)) release();
});

const withModel = (): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: API_KEY,
});

/** A command of someone with a model. */
const start = (...args: readonly string[]): Running => startCli({ args, home, env: withModel() });
const testgrad = (...args: readonly string[]): Promise<Finished> => start(...args).end;
/** A run that differs from others by its seed. */
const select = (seed: number): readonly string[] => ['select', ...inputs, '--model', 'scripted', '--seed', `${seed}`];

interface SelectDocument {
  readonly schema: string;
  readonly outcome: string;
  readonly selected: string | null;
  readonly run: { readonly id: string; readonly folder: string };
  readonly decision: Decision;
}

/** The one document of `--json`; fails when anything else is on standard output. */
function document<T = SelectDocument>({ stdout, stderr }: Finished): T {
  expect(stdout.endsWith('\n'), stderr).toBe(true);
  return JSON.parse(stdout) as T;
}

/** Makes the model wait with its answers until it is told to go on. */
function holdModel(): { readonly asked: () => Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = () => {
      script = plainScript;
      resolve();
    };
  });
  releases.push(() => release());
  const before = model.requests.length;
  script = async (request, n) => {
    await gate;
    return plainScript(request, n);
  };
  return {
    asked: () => until({ what: 'a request', done: () => model.requests.length > before }),
    release,
  };
}

const expectUntouched = async (): Promise<void> => expect(await fingerprint(project.repoDir)).toEqual(untouched);

test('select on a machine where nothing runs: the stack comes up, one document goes to standard output', async () => {
  const finished = await testgrad(...select(1), '--json');
  expect(finished).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Started a local Temporal server') });
  const { schema, outcome, selected, run, decision } = document(finished);
  expect({ schema, outcome, selected }).toEqual({
    schema: 'testgrad.select/1',
    outcome: 'differential',
    selected: 'right',
  });
  expect(decision.steps).toMatchObject([{ loss: 1 }, { loss: 1, momentumTokens: expect.any(Number) }, { loss: 0 }]);
  expect(decision.steps[1]?.momentumTokens).toBeGreaterThan(0);
  expect(decision.decidingTests).toMatchObject([{ testId: 'tests/test_slugs.py::test_long_single_word' }]);
  const folder = await readdir(run.folder);
  expect(folder).toEqual(expect.arrayContaining(['decision.json', 'matrix.json', 'report.md', 'run.json']));
  expect(finished.stderr).not.toContain(API_KEY);
  await expectUntouched();
}, 180_000);

test('the same command again prints the result and asks nobody', async () => {
  const before = model.requests.length;
  const finished = await testgrad(...select(1));
  expect(finished.exitCode).toBe(0);
  expect(finished.stderr).not.toMatch(/server|worker/i);
  const lines = finished.stdout.split('\n');
  expect(lines.slice(0, 3).join(' ')).toContain('right');
  expect(finished.stdout).toContain('test_long_single_word');
  expect(finished.stdout).toContain('testgrad apply');
  expect(model.requests.length).toBe(before);
}, 60_000);

test('show, report, status and matrix tell what was found', async () => {
  const shown = await testgrad('show', 'last', '--json');
  expect(document(shown)).toMatchObject({ outcome: 'differential', selected: 'right' });
  const part = async (name: string) =>
    document<Record<string, unknown>>(await testgrad('show', `last/${name}`, '--json'));
  expect(await part('y2')).toMatchObject({ part: 'step', step: { step: 2, loss: 0, diagnosis: null } });
  expect(await part('right')).toMatchObject({ part: 'candidate', candidate: { selected: true } });
  expect(await part('test_long_single_word')).toMatchObject({ part: 'test', test: { step: 2 } });
  expect(await testgrad('show', 'last/nobody')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^TG-R05/),
  });
  expect((await testgrad('report', 'last')).stdout).toContain('test_long_single_word');
  const listed = document<{ runs: readonly unknown[] }>(await testgrad('status', '--json'));
  expect(listed.runs).toMatchObject([{ kind: 'select', state: 'finished', selected: 'right' }]);
  const before = model.requests.length;
  const matrix = await testgrad('matrix', ...inputs, '--json');
  expect(matrix.exitCode).toBe(0);
  expect(document(matrix)).toMatchObject({ schema: 'testgrad.matrix-run/1', outcome: 'not-separated' });
  expect(model.requests.length).toBe(before);
}, 120_000);

/** Kinds of the events on standard output; that they fit their schemas is checked wherever a command ends. */
const eventsOf = ({ stdout }: Finished): string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event);

test('--events tells a run from its launch to its end, and one that is finished at once', async () => {
  const ran = await testgrad('matrix', ...inputs, '--seed', '9', '--events');
  expect(ran.exitCode).toBe(0);
  expect(eventsOf(ran)).toEqual(expect.arrayContaining(['launch', 'outcome', 'done']));
  const again = await testgrad(...select(1), '--events');
  expect(eventsOf(again)).toEqual(['launch', 'outcome', 'done']);
  expect(again.stdout).not.toMatch(/"(reason|quote|diagnosis)":"/);
  const told = await testgrad(...select(1), '--events', '--content');
  expect(told.stdout).toMatch(/"reason":"/);
  // `matrix` above was another run.
  await testgrad(...select(1));
}, 120_000);

test('apply previews, then changes the tree, and the deciding test passes there', async () => {
  const { repoDir } = project;
  // The newest run is the matrix, which chose nothing.
  const listed = document<{ runs: readonly { kind: string; runId: string }[] }>(await testgrad('status', '--json'));
  const run = listed.runs.find(({ kind }) => kind === 'select')?.runId ?? '';
  const preview = await testgrad('apply', run, '--preview', '--test');
  expect(preview).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('+def test_long_single_word') });
  await expectUntouched();

  const applied = await testgrad('apply', run, '--test');
  expect(applied).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing is committed') });
  const { stdout: changed } = await execa('git', ['diff', '--name-only'], { cwd: repoDir });
  expect(changed.split('\n')).toEqual(['slugs.py', 'tests/test_slugs.py']);
  const test = await readFile(join(repoDir, 'tests', 'test_slugs.py'), 'utf8');
  expect(test).toContain('def test_long_single_word');
  const python = await pythonWithPytest();
  const { exitCode } = await execa(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: repoDir,
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(exitCode).toBe(0);
  await execa('git', ['checkout', '--quiet', '--', '.'], { cwd: repoDir });
  untouched = await fingerprint(repoDir);
}, 120_000);

test('Ctrl+C leaves the run alone, and watch comes back to it', async () => {
  const held = holdModel();
  const running = start(...select(2));
  await held.asked();
  running.child.kill('SIGINT');
  const left = await running.end;
  expect(left).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Detached') });
  const again = /testgrad watch (\S+)/.exec(left.stderr)?.[1] ?? '';
  const states = document<{ runs: readonly unknown[] }>(await testgrad('status', again, '--json'));
  expect(states.runs).toMatchObject([{ state: 'running', progress: { phase: 'backward' } }]);

  const watching = start('watch', again, '--json');
  await sleep(1_000);
  held.release();
  const finished = await watching.end;
  expect(finished.exitCode).toBe(0);
  expect(document(finished)).toMatchObject({ outcome: 'differential', selected: 'right' });
}, 120_000);

test('a cancelled run says so, and the same command goes on with what is stored', async () => {
  const held = holdModel();
  const detached = await testgrad(...select(3), '--detach', '--json');
  expect(detached.exitCode).toBe(0);
  const { id } = document(detached).run;
  await held.asked();
  const watching = start('watch', id);
  const cancelled = await testgrad('cancel', id);
  expect(cancelled).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is cancelled') });
  expect(await watching.end).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('TG-R06') });
  held.release();
  const listed = document<{ runs: readonly unknown[] }>(await testgrad('status', id, '--json'));
  expect(listed.runs).toMatchObject([{ state: 'cancelled' }]);
  expect(await testgrad('cancel', id)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('TG-R05') });

  const finished = document(await testgrad(...select(3), '--json'));
  expect(finished).toMatchObject({ outcome: 'differential', run: { id } });
  // The turn that was cut off may have been paid.
  expect(totalUsage(finished.decision.usage)).toMatchObject({ calls: CALLS, possibleDuplicates: 1 });
  expect(finished.decision.steps[0]).toMatchObject({ executedFiles: 0 });
}, 120_000);

test('a refused key is told with its own exit code, and nothing is lost', async () => {
  script = () => ({ status: 401, body: { error: { message: 'Incorrect API key provided' } } });
  const refused = await testgrad(...select(4));
  expect(refused).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringContaining('TG-M02') });
  script = plainScript;
  const finished = document(await testgrad(...select(4), '--json'));
  expect(finished).toMatchObject({ outcome: 'differential' });
  expect(totalUsage(finished.decision.usage)).toMatchObject({ calls: CALLS, possibleDuplicates: 0 });
}, 120_000);

test('after kill -9 of command, worker and server the same command finishes the run', async () => {
  const held = holdModel();
  const running = start(...select(5), '--json');
  await held.asked();
  const workers = await listWorkerRecords(home);
  expect(workers.length).toBeGreaterThan(0);
  running.child.kill('SIGKILL');
  for (const { pid } of workers) await killNow(pid);
  const server = await readServerRecord(home);
  await killNow(server?.pid ?? 0);
  await running.end;
  held.release();
  await expectUntouched();

  const finished = await testgrad(...select(5), '--json');
  expect(finished.exitCode).toBe(0);
  const { decision, outcome } = document(finished);
  expect(outcome).toBe('differential');
  expect(totalUsage(decision.usage)).toMatchObject({ calls: CALLS, possibleDuplicates: 1 });
  await expectUntouched();
}, 180_000);

test('a recorded session is replayed without an endpoint, and says where it drifted', async () => {
  const file = join(dir, 'session.json');
  const recorded = document(
    await startCli({ args: [...select(6), '--json'], home, env: { ...withModel(), TESTGRAD_RECORD: file } }).end,
  );
  const session = await readFile(file, 'utf8');
  expect(session).not.toContain(API_KEY);

  const before = model.requests.length;
  const replay = (args: readonly string[]): Promise<Finished> =>
    startCli({ args, home: otherHome, env: { TESTGRAD_REPLAY: file } }).end;
  const replayed = await replay([...select(6), '--json']);
  expect(replayed.exitCode).toBe(0);
  expect(meaningOf(document(replayed).decision)).toEqual(meaningOf(recorded.decision));
  expect(totalUsage(document(replayed).decision.usage).drifted).toBe(0);

  // Another issue makes other requests.
  const issue = join(dir, 'other-issue.md');
  await writeFile(issue, `${await readFile(project.issueFile, 'utf8')}\nSeen since yesterday.\n`);
  const drifted = await replay([...select(6), '--issue', issue]);
  expect(drifted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${CALLS} answered by a recording`) });
  expect(model.requests.length).toBe(before);
}, 180_000);

test('down leaves nothing running', async () => {
  expect(processesOf(home).length).toBeGreaterThan(1);
  for (const each of [home, otherHome]) {
    const down = await startCli({ args: ['down'], home: each }).end;
    expect(down).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Stopped the local Temporal server') });
    expect(processesOf(each)).toEqual([]);
  }
  // What was found is still told.
  expect(document(await testgrad('show', 'last', '--json'))).toMatchObject({ outcome: 'differential' });
  expect(processesOf(home)).toEqual([]);
  await expectUntouched();
}, 180_000);
