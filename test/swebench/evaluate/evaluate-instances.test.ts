import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localPlaces } from '../../../src/activities/local-evaluation.js';
import { type EvaluationPrediction, evaluateInstances } from '../../../src/swebench/evaluate/evaluate-instances.js';
import type { EvaluationPlace, OpenPlace } from '../../../src/swebench/evaluate/place.js';
import type { EvaluationInstance } from '../../../src/swebench/instance.js';
import type { HarnessRules } from '../../../src/swebench/logs/log-parser.js';
import { askHarness, harnesses } from '../support/harness.js';

/** A project whose "tests" are shell scripts that a bin/test in the manner of sympy's reads. */
const FILES = {
  'bin/test': '#!/bin/bash\nCODE=0\nshift 2\nfor file in "$@"; do . "./$file"; done\nexit $CODE\n',
  'code.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
  'dos.txt': 'one\r\ntwo\r\nthree\r\n',
  'tests/test_code.py': 'echo "test_old ok"\n',
};
const TEST_PATCH = `diff --git a/tests/test_code.py b/tests/test_code.py
--- a/tests/test_code.py
+++ b/tests/test_code.py
@@ -1 +1,4 @@
-echo "test_old ok"
+grep -q broken code.txt && { echo "test_old F"; CODE=1; } || echo "test_old ok"
+grep -q FIXED code.txt dos.txt && echo "test_new ok" || { echo "test_new F"; CODE=1; }
+if grep -q sleep code.txt; then sleep 60; fi
+if grep -q forged code.txt; then echo "test_new ok"; CODE=7; fi
`;

const change = (to: string, context = 'four'): string =>
  `diff --git a/code.txt b/code.txt\n--- a/code.txt\n+++ b/code.txt\n@@ -4,3 +4,3 @@\n ${context}\n-five\n+${to}\n six\n`;

const PATCHES = {
  right: change('FIXED'),
  wrong: change('cinq'),
  breaks: change('FIXED broken'),
  fuzzy: change('FIXED', 'vier'),
  'of nothing': change('FIXED', 'vier').replace('-five', '-fünf'),
  slow: change('FIXED sleep'),
  dos: `diff --git a/dos.txt b/dos.txt\n--- a/dos.txt\n+++ b/dos.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+FIXED\r\n three\r\n`,
  'own tests': `${change('cinq')}diff --git a/tests/test_code.py b/tests/test_code.py\n--- a/tests/test_code.py\n+++ b/tests/test_code.py\n@@ -1 +1 @@\n-echo "test_old ok"\n+echo "test_new ok"\n`,
  forged: change('forged'),
  empty: '',
} as const;

let dir = '';
let open: OpenPlace;
let baseCommit = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-evaluate-'));
  const repository = join(dir, 'repository');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(repository, name, '..'), { recursive: true });
    await writeFile(join(repository, name), text, { mode: 0o755 });
  }
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: repository });
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'base');
  ({ stdout: baseCommit } = await git('rev-parse', 'HEAD'));
  await git('commit', '--quiet', '--allow-empty', '-m', 'later');
  const { stdout: python } = await execa('python3', ['-c', 'import sys; print(sys.executable)']);
  open = await localPlaces({
    kind: 'none',
    workDir: join(dir, 'work'),
    gitDir: join(repository, '.git'),
    python,
    pythonPath: ['.'],
    runId: 'test',
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const instance = (instanceId: string): EvaluationInstance => ({
  instanceId,
  repo: 'sympy/sympy',
  baseCommit,
  version: '1.12',
  testPatch: TEST_PATCH,
  expected: { failToPass: ['test_new'], passToPass: ['test_old'] },
  evalScript: null,
  logParser: null,
  evalType: 'pass_and_fail',
  image: null,
});

const predict = (instanceId: string, patch: string): EvaluationPrediction => ({
  instanceId,
  model: 'group/model',
  patch: Buffer.from(patch),
});

async function evaluate({
  patches,
  rules = 'v4',
  folder,
  place = open,
}: {
  patches: Readonly<Record<string, string>>;
  rules?: HarnessRules;
  folder: string;
  place?: OpenPlace;
}) {
  const troubles: Record<string, string> = {};
  const reused: string[] = [];
  const run = await evaluateInstances({
    instances: [...Object.keys(patches), 'left out'].map(instance),
    predictions: Object.entries(patches).map(([id, patch]) => predict(id, patch)),
    open: place,
    runId: 'run-1',
    logsDir: join(dir, folder, 'logs'),
    reportDir: join(dir, folder, 'reports'),
    rules,
    workers: 2,
    timeoutMs: 4_000,
    onProgress: (progress) => {
      if (progress.trouble !== null) troubles[progress.instanceId] = progress.trouble.trouble;
      if (progress.reused) reused.push(progress.instanceId);
    },
  });
  const kinds = Object.fromEntries([...run.states].map(([id, { kind }]) => [id, kind]));
  return { ...run, kinds, troubles, reused };
}

test('each patch gets the verdict of the harness, and trouble is no verdict', async () => {
  const { kinds, troubles, report, reportFile } = await evaluate({ patches: PATCHES, folder: 'all-v4' });
  expect(kinds).toEqual({
    right: 'resolved',
    wrong: 'unresolved',
    breaks: 'unresolved',
    fuzzy: 'resolved',
    'of nothing': 'error',
    slow: 'error',
    dos: 'resolved',
    'own tests': 'unresolved',
    forged: 'resolved',
    empty: 'empty-patch',
    'left out': 'incomplete',
  });
  expect(troubles).toEqual({ 'of nothing': 'not-applied', slow: 'timeout' });
  expect(report).toMatchObject({ total_instances: 11, submitted_instances: 10, error_ids: ['of nothing', 'slow'] });
  expect(reportFile).toBe(join(dir, 'all-v4/reports/group__model.run-1.json'));
  const logs = join(dir, 'all-v4/logs/run_evaluation/run-1/group__model');
  expect(await readFile(join(logs, 'dos/patch.diff'), 'utf8')).toBe(PATCHES.dos);
  expect(await readFile(join(logs, 'slow/test_output.txt'), 'utf8')).toMatch(
    /\n\nTimeout error: 4 seconds exceeded\.$/,
  );
  expect(await readFile(join(logs, 'of nothing/run_instance.log'), 'utf8')).toContain('>>>>> Patch Apply Failed');
  expect(existsSync(join(logs, 'of nothing/report.json'))).toBe(false);
  // Nothing of a place is left.
  expect(await readdir(join(dir, 'work/places'))).toEqual([]);
});

test('under the rules of v5 a run that failed cannot print itself right', async () => {
  const patches = { right: PATCHES.right, forged: PATCHES.forged, fuzzy: PATCHES.fuzzy, breaks: PATCHES.breaks };
  const { kinds } = await evaluate({ patches, rules: 'v5', folder: 'all-v5' });
  // With code 7 and a failure of its own the log of `forged` is no contradiction; its last word is the print.
  expect(kinds).toMatchObject({ right: 'resolved', fuzzy: 'resolved', breaks: 'unresolved', forged: 'unresolved' });
  const output = await readFile(
    join(dir, 'all-v5/logs/run_evaluation/run-1/group__model/breaks/test_output.txt'),
    'utf8',
  );
  expect(output).toContain('>>>>> Test Exit Code: 1');
});

test('the same inputs are not run again; a changed patch, an error and trouble of ours are', async () => {
  const broken: OpenPlace = async () => {
    throw new Error('no daemon');
  };
  const first = await evaluate({ patches: { a: PATCHES.right, b: PATCHES.wrong }, folder: 'again', place: broken });
  expect(first.kinds).toMatchObject({ a: 'error', b: 'error' });
  expect(first.troubles).toEqual({ a: 'infra', b: 'infra' });
  const second = await evaluate({ patches: { a: PATCHES.right, b: PATCHES.wrong }, folder: 'again' });
  expect(second.reused).toEqual([]);
  expect(second.kinds).toMatchObject({ a: 'resolved', b: 'unresolved' });
  const third = await evaluate({ patches: { a: PATCHES.right, b: PATCHES.right }, folder: 'again', place: broken });
  expect(third.reused).toEqual(['a']);
  expect(third.kinds).toMatchObject({ a: 'resolved', b: 'error' });
});

test('a place that breaks while the tests run says nothing about the patch', async () => {
  const place: OpenPlace = async (input) => {
    const real: EvaluationPlace = await open(input);
    let scripts = 0;
    return {
      ...real,
      bash: async (call) => {
        scripts += 1;
        if (scripts < 3) return real.bash(call);
        return { exit: { kind: 'killed', reason: 'out of memory' }, log: '', durationMs: 1 };
      },
    };
  };
  const { kinds, troubles } = await evaluate({ patches: { a: PATCHES.right }, folder: 'killed', place });
  expect([kinds.a, troubles.a]).toEqual(['error', 'infra']);
});

test('a cancelled run ends what is in work, begins nothing more and leaves earlier files', async () => {
  const stop = new AbortController();
  const opened: string[] = [];
  const startedAt = performance.now();
  const run = await evaluateInstances({
    instances: ['slow', 'later'].map(instance),
    predictions: [predict('slow', PATCHES.slow), predict('later', PATCHES.right)],
    open: async (input) => {
      opened.push(input.instance.instanceId);
      const place = await open(input);
      setTimeout(() => stop.abort(), 1_000);
      return place;
    },
    runId: 'run-1',
    logsDir: join(dir, 'cancelled/logs'),
    reportDir: join(dir, 'cancelled'),
    timeoutMs: 50_000,
    signal: stop.signal,
  });
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(opened).toEqual(['slow']);
  expect([...run.states.values()].map(({ kind }) => kind)).toEqual(['error', 'error']);
  expect(existsSync(join(dir, 'cancelled/logs'))).toBe(false);
});

test.for([
  ['unknown ids', 'x', 'run-1'],
  ['a run id that leaves the folder', 'a', '../run'],
] as const)('%s are refused before anything runs', async ([, id, runId]) => {
  const call = evaluateInstances({
    instances: [instance('a')],
    predictions: [predict(id, PATCHES.right)],
    open,
    runId,
    logsDir: join(dir, 'none'),
    reportDir: join(dir, 'none'),
  });
  await expect(call).rejects.toMatchObject({ code: 'TG-I14' });
  expect(existsSync(join(dir, 'none'))).toBe(false);
});

const found = await harnesses();

describe.skipIf(found.kind === 'missing')('the official harness', () => {
  test.for(['v4', 'v5'] as const)('makes the same report of our log folder, rules of %s', async (rules) => {
    const { slow: _, ...quick } = PATCHES;
    const patches = { ...quick, é: PATCHES.right };
    const folder = `reports-${rules}`;
    const { reportFile } = await evaluate({ patches, rules, folder });
    const [theirs] = await askHarness({
      python: found.kind === 'ready' ? found[rules] : '',
      jobs: [
        {
          job: 'run-report',
          folder: join(dir, folder),
          runId: 'run-1',
          dataset: [...Object.keys(patches), 'left out'],
          predictions: Object.entries(patches).map(([instance_id, model_patch]) => ({
            instance_id,
            model_patch,
            model_name_or_path: 'group/model',
          })),
        },
      ],
    });
    expect(theirs?.name).toBe('group__model.run-1.json');
    expect(await readFile(reportFile ?? '', 'utf8')).toBe(theirs?.text);
  });
});
