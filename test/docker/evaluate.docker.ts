import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildStandIn, RELEASES } from '../../scripts/stand-in-images.mjs';
import { dockerPlaces } from '../../src/activities/docker-evaluation.js';
import { evaluateInstances } from '../../src/swebench/evaluate/evaluate-instances.js';
import { buildCli, startCli } from '../support/built-cli.js';

const BUILD_MS = 900_000;
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-evaluate-docker-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A patch that makes one new file. */
function adding(path: string, lines: readonly string[]): string {
  const body = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}

const FUNCTIONS = (module: string) => [
  'def test_old():',
  '    pass',
  'def test_new():',
  `    from ${module} import VALUE`,
  '    assert VALUE == 1',
  // The harness does not read the result of the last test of a file from sympy's log.
  'def test_last():',
  '    pass',
];
const SUBJECTS = [
  {
    family: 'flask',
    repo: 'pallets/flask',
    version: '2.3',
    source: 'src/flask/added.py',
    test: adding('tests/test_added.py', FUNCTIONS('flask.added')),
    names: ['tests/test_added.py::test_new', 'tests/test_added.py::test_old'],
  },
  {
    family: 'django',
    repo: 'django/django',
    version: '4.2',
    source: 'django/utils/added.py',
    test: adding('tests/utils_tests/test_added.py', [
      'import unittest',
      'class T(unittest.TestCase):',
      '    def test_old(self):',
      '        """Says what it does."""',
      '    def test_new(self):',
      '        from django.utils.added import VALUE',
      '        self.assertEqual(VALUE, 1)',
    ]),
    names: ['test_new (utils_tests.test_added.T)', 'Says what it does.'],
  },
  {
    family: 'sympy',
    repo: 'sympy/sympy',
    version: '1.11',
    source: 'sympy/added.py',
    test: adding('sympy/core/tests/test_added.py', FUNCTIONS('sympy.added')),
    names: ['test_new', 'test_old'],
  },
] as const;

it.each(SUBJECTS)('$family: candidates are graded in their image', { timeout: BUILD_MS }, async (subject) => {
  const row = await buildStandIn(RELEASES[subject.family]);
  const [newTest, oldTest] = subject.names;
  const evaluate = (model: string, patch: string) =>
    evaluateInstances({
      instances: [
        {
          instanceId: row.instance_id,
          repo: subject.repo,
          baseCommit: row.base_commit,
          version: subject.version,
          testPatch: subject.test,
          expected: { failToPass: [newTest], passToPass: [oldTest] },
          evalScript: null,
          logParser: null,
          evalType: 'pass_and_fail',
          image: row.image,
        },
      ],
      predictions: [{ instanceId: row.instance_id, model, patch: Buffer.from(patch) }],
      open: dockerPlaces({
        runId: 'evaluate',
        lifetimeMs: BUILD_MS,
        memoryBytes: 2 * 1024 ** 3,
        laterInterpreter: true,
      }),
      runId: 'docker',
      logsDir: join(dir, 'logs'),
      reportDir: join(dir, 'reports'),
      timeoutMs: 300_000,
    });
  const states = [];
  for (const [model, patch] of [
    ['right', adding(subject.source, ['VALUE = 1'])],
    ['wrong', adding(subject.source, ['VALUE = 2'])],
    ['breaking', adding(subject.source, ['VALUE = 1']).replace('@@ -0,0', '@@ -9,9')],
  ] as const) {
    const run = await evaluate(model, patch);
    states.push(run.states.get(row.instance_id)?.kind);
  }
  const folder = join(dir, 'logs/run_evaluation/docker/right', row.instance_id);
  const output = await readFile(join(folder, 'test_output.txt'), 'utf8').catch(() => 'there is no output');
  expect(states, output.slice(-3_000)).toEqual(['resolved', 'unresolved', 'error']);
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(report[row.instance_id].tests_status.PASS_TO_PASS.success).toEqual([oldTest]);
});

it('grades by the command line, in the harness’s layout, and runs nothing twice', { timeout: BUILD_MS }, async () => {
  const [{ family, repo, version, source, test, names }] = SUBJECTS;
  const row = await buildStandIn(RELEASES[family]);
  const [newTest, oldTest] = names;
  const put = async (name: string, lines: readonly unknown[]): Promise<string> => {
    await writeFile(join(dir, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return join(dir, name);
  };
  const dataset = await put('dataset.jsonl', [
    {
      ...{ instance_id: row.instance_id, repo, version, base_commit: row.base_commit, image: row.image },
      ...{ problem_statement: 'There is no VALUE.', test_patch: test, patch: adding(source, ['VALUE = 1']) },
      ...{ FAIL_TO_PASS: [newTest], PASS_TO_PASS: [oldTest] },
    },
  ]);
  const prediction = {
    instance_id: row.instance_id,
    model_name_or_path: 'cli',
    model_patch: adding(source, ['VALUE = 2']),
  };
  const predictions = await put('predictions.jsonl', [prediction]);
  await buildCli();
  const evaluate = (given: string) =>
    startCli({
      args: ['evaluate', '--dataset', dataset, '--predictions', given, '--run-id', 'r1', '--report-dir', dir, '--json'],
      home: join(dir, 'home'),
      env: { DOCKER_HOST: process.env.DOCKER_HOST ?? '', TESTGRAD_CACHE: join(dir, 'cache') },
    }).end;

  const gold = await evaluate('gold');
  expect(gold, gold.stderr).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(gold.stdout)).toMatchObject({ resolved_ids: [row.instance_id], unresolved_ids: [] });
  const wrong = await evaluate(predictions);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ resolved_ids: [], unresolved_ids: [row.instance_id] });
  const report = JSON.parse(await readFile(join(dir, 'cli.r1.json'), 'utf8'));
  expect(report).toMatchObject({ completed_instances: 1, resolved_instances: 0 });
  const folder = join(dir, 'logs/run_evaluation/r1/cli', row.instance_id);
  const { [row.instance_id]: graded } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(graded).toMatchObject({ resolved: false, tests_status: { FAIL_TO_PASS: { failure: [newTest] } } });
  expect((await evaluate(predictions)).stderr).toContain('from before');
});
