import { existsSync } from 'node:fs';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ExecuteSuiteInput, RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { getJson } from '../../src/artifacts/values.js';
import { BASE } from '../../src/core/candidate.js';
import type { CandidateOutcomes } from '../../src/core/outcome.js';
import { isRetryable } from '../../src/errors.js';
import {
  type ActivityBench,
  activityEnvironment,
  asActivity,
  openActivityBench,
  prepared,
} from '../support/activity-bench.js';
import { slowTests } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { hasBubblewrap } from '../support/sandboxes.js';
import { until } from '../support/until.js';

const bubblewrap = await hasBubblewrap();

let bench: ActivityBench;
let context: RunContext;
let input: ExecuteSuiteInput;

beforeAll(async () => {
  bench = await openActivityBench({
    files: {
      ...slowTests(1),
      'src/glue.py': 'def join(words):\n    return "-".join(words)\n',
      'tests/test_glue.py': 'from glue import join\n\n\ndef test_join():\n    assert join(["a", "b"]) == "a-b"\n',
    },
  });
  context = await bench.context({ flags: { pythonPath: ['.'] } });
});
afterAll(() => bench.remove());

beforeEach(async () => {
  const { prepared: ref, suite, columns } = await prepared({ bench, context });
  const [column] = columns;
  if (column === undefined) throw new Error('no column');
  input = { ...context, prepared: ref, column, suite, files: null, rerun: 0 };
});

const execute = (change: Partial<ExecuteSuiteInput> = {}, heartbeats: unknown[] = []) =>
  asActivity(() => executeSuite({ services: bench.services, input: { ...input, ...change } }), { heartbeats });

const boundOutcomes = async (): Promise<number> =>
  (await readdir(join(bench.home, 'store', 'refs', 'file-outcome'))).length;

test('each file is announced by a heartbeat that says where the suite stands', async () => {
  const heartbeats: unknown[] = [];
  const { executed } = await execute({}, heartbeats);
  expect(executed).toBe(3);
  expect(heartbeats).toMatchObject([
    { phase: 'run', column: 'c1', done: 0, total: 3 },
    { phase: 'run', column: 'c1', done: 1, total: 3 },
    { phase: 'run', column: 'c1', done: 2, total: 3 },
  ]);
  const files = heartbeats.map((each) => (each as { file: string }).file);
  expect(files.sort()).toEqual(['tests/test_other.py', 'tests/test_slow_1.py', 'tests/test_slugs.py']);
});

test('what is known is not executed, a rerun is another execution', async () => {
  const before = await execute();
  expect(before).toMatchObject({ executed: 0, reused: 3 });
  const again = await execute({ rerun: 1, files: ['tests/test_slugs.py'] });
  expect(again).toMatchObject({ executed: 1, reused: 0 });
  // The base was executed by the preparation.
  const column = { id: BASE, treeId: (await prepared({ bench, context })).baseTreeId, name: BASE };
  expect(await execute({ column })).toMatchObject({ executed: 0, reused: 3 });
});

test('of two executions at one time the first outcome counts for both', async () => {
  const both = { rerun: 7, files: ['tests/test_slugs.py'] };
  const [one, other] = await Promise.all([execute(both), execute(both)]);
  expect([one.executed, other.executed]).toEqual([1, 1]);
  // Their durations would tell them apart.
  expect(one.outcomes).toEqual(other.outcomes);
});

test.runIf(bubblewrap)('when our side breaks, nothing is kept and it is tried again', async () => {
  const before = await boundOutcomes();
  // A repository at /usr cannot be covered by a candidate's tree, so no sandbox starts.
  const broken = await bench.context({
    flags: { pythonPath: ['.'] },
    change: (instance) => ({ ...instance, repository: { ...instance.repository, path: '/usr' } }),
  });
  const error: unknown = await execute(broken).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TG-S09', what: expect.stringContaining('cannot be covered') });
  expect(isRetryable(error)).toBe(true);
  expect(await boundOutcomes()).toBe(before);
  expect(existsSync(join(bench.home, 'work', 'runs', broken.runId))).toBe(true);
  expect(await readdir(join(bench.home, 'work', 'runs', broken.runId))).toEqual([]);
});

test('tests that would import an installed copy are refused', async () => {
  const python = await installedCopy();
  const patches = await wordPatches();
  const wish = { agents: Object.keys(patches), patches, flags: { python } };
  // Without its import root, the project is only found where it is installed.
  const installed = await bench.context({
    ...wish,
    change: (instance) => ({ ...instance, environment: { ...instance.environment, pythonPath: [] } }),
  });
  const refused = prepared({ bench, context: installed });
  await expect(refused).rejects.toMatchObject({
    code: 'TG-S08',
    what: expect.stringMatching(/imports glue from .*site-packages\/glue\.py/),
    fix: expect.stringContaining('--python-path'),
  });
  // With it, the candidate's code comes first.
  const own = await bench.context(wish);
  const { prepared: ref, suite, columns } = await prepared({ bench, context: own });
  const { outcomes } = await execute({ ...own, prepared: ref, suite, column: columns[0] ?? input.column });
  const value = await getJson<CandidateOutcomes>({ store: bench.services.store, ref: outcomes });
  const file = value.files.find((each) => each.file === 'tests/test_glue.py');
  expect(file).toMatchObject({ state: 'ran', imports: { glue: 'src/glue.py' } });
});

/** Two changes of a module below src. */
async function wordPatches(): Promise<Record<string, string>> {
  const patch = (line: string): string =>
    `--- a/src/glue.py\n+++ b/src/glue.py\n@@ -1,2 +1,2 @@\n def join(words):\n-    return "-".join(words)\n+    ${line}\n`;
  const patches: Record<string, string> = {};
  for (const [agent, line] of [
    ['plain', 'return "-".join(list(words))'],
    ['loud', 'return "-".join(words).upper()'],
  ] as const) {
    patches[agent] = join(bench.dir, `${agent}.diff`);
    await writeFile(patches[agent], patch(line));
  }
  return patches;
}

/** An environment like that of the tests, into which the project was installed some time ago. */
async function installedCopy(): Promise<string> {
  const venv = join(bench.dir, 'venv');
  await execa('python3', ['-m', 'venv', '--without-pip', venv]);
  const python = join(venv, 'bin', 'python');
  const ask = ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'];
  const [{ stdout: own }, { stdout: other }] = await Promise.all([
    execa(python, ask),
    execa(await pythonWithPytest(), ask),
  ]);
  await writeFile(join(own, 'tests.pth'), `${other}\n`);
  await copyFile(join(bench.project.repoDir, 'src', 'glue.py'), join(own, 'glue.py'));
  return python;
}

test('a cancelled suite stops where it is, leaves nothing and keeps nothing of the file it was in', async () => {
  const before = await boundOutcomes();
  const env = activityEnvironment();
  const slow = { rerun: 5, files: ['tests/test_slow_1.py', 'tests/test_other.py'] };
  const running = asActivity(() => executeSuite({ services: bench.services, input: { ...input, ...slow } }), { env });
  const place = join(bench.home, 'work', 'runs', input.runId);
  const waiting = await readdir(place);
  await until({ what: 'a sandbox', done: () => processesOf(place).length > 0 });
  env.cancel('CANCELLED');
  await expect(running).rejects.toThrow(/CANCELLED/);
  expect(processesOf(place)).toEqual([]);
  // Copies of earlier executions wait for the next ones; nothing is left of this one.
  for (const name of await readdir(place)) {
    expect(waiting).toContain(name);
    expect(await readdir(join(place, name))).toEqual(['stamp', 'tree']);
  }
  expect(await boundOutcomes()).toBe(before);
});
