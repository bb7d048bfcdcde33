import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { armsOf, singleIndex } from '../../../src/cli/benchmark/arms.js';
import { readLocalRepos } from '../../../src/cli/benchmark/local-repos.js';
import { budgetOf, widthOf } from '../../../src/cli/benchmark/start-benchmark.js';
import { itemRunId } from '../../../src/cli/benchmark/store-plan.js';
import { readOptionValues } from '../../../src/cli/option-values.js';
import { optionsOf } from '../../../src/cli/options.js';
import { benchmarkRunIdOf, parseWorkflowId, workflowIdOf } from '../../../src/cli/run-identity.js';
import { itemWorkflowId } from '../../../src/core/benchmark-ids.js';
import type { Arm, PlannedInstance } from '../../../src/core/benchmark-plan.js';
import { runCli } from '../run-cli.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-bench-inputs-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const names = optionsOf('bench').map(({ name }) => name);
const valuesOf = (flags: Readonly<Record<string, unknown>>) => readOptionValues({ names, flags, env: {} });
const arms = (flags: Readonly<Record<string, unknown>>): Arm[] => armsOf(valuesOf({ model: 'm', ...flags }));

test('methods and ablations become lines of the table, each once, with settings of their own', () => {
  expect(arms({}).map(({ name }) => name)).toEqual(['testgrad']);
  const shown = arms({ methods: ['testgrad, trae', 'single:2,testgrad'], ablation: ['no-read,pass-count'] });
  expect(shown.map(({ name }) => name)).toEqual([
    'testgrad',
    'trae',
    'single-2',
    'testgrad-no-read',
    'testgrad-pass-count',
  ]);
  expect(shown.map((arm) => (arm.kind === 'run' ? arm.settings.parts : null))).toMatchObject([
    ...[undefined, undefined, null],
    { read: false },
    { objective: 'pass-count' },
  ]);
  expect(arms({ ablation: ['all'] })).toHaveLength(8);
  expect([singleIndex('single'), singleIndex('single-3')]).toEqual([0, 2]);
});

test('a pass count needs no model and is the same run whichever one is named', () => {
  const [without] = armsOf(valuesOf({ methods: ['pass-count'] }));
  const [withModel] = arms({ methods: ['pass-count'] });
  expect(without).toEqual(withModel);
  expect(() => armsOf(valuesOf({}))).toThrow(/TG-I14 No model/);
});

test.each([
  [{ methods: ['tes'] }, /--methods "tes"/],
  [{ methods: ['oracle:2'] }, /"oracle:2"/],
  [{ methods: ['single:0'] }, /"single:0"/],
  [{ ablation: ['no-brain'] }, /--ablation "no-brain".*/],
])('%o is refused', (flags, message) => {
  expect(() => arms(flags)).toThrow(message);
});

test('limits are numbers above 0, and the window has a bound', () => {
  const limits = (flags: Readonly<Record<string, unknown>>) => budgetOf({ values: valuesOf(flags) });
  expect(limits({ maxTokens: '10', maxUsd: '2.5' })).toEqual({ maxTokens: 10, maxUsd: 2.5 });
  expect(limits({})).toEqual({ maxTokens: null, maxUsd: null });
  for (const maxUsd of ['0', '-1', 'x']) expect(() => limits({ maxUsd }), maxUsd).toThrow('--max-usd');
  expect(() => widthOf({ values: valuesOf({ width: '201' }) })).toThrow('at most 200');
});

const ref = (digest: string) => ({ digest, bytes: 1, mediaType: '' });
const instance = (patches: readonly string[]): PlannedInstance => ({
  ...{ instanceId: 'a__b-1', row: ref('row'), source: { kind: 'docker', image: 'i', timeoutMs: 1 } },
  slots: patches.map((digest, index) => ({ agent: `${index}`, kind: 'patch', patch: ref(digest) })),
});

test('methods on one instance have runs of their own, and the same inputs the same', () => {
  const [testgrad, trae, noRead] = arms({ methods: ['testgrad,trae'], ablation: ['no-read'] });
  const idOf = (arm: Arm | undefined, n = 2, of = instance(['p', 'q', 'r'])) => {
    if (arm?.kind !== 'run') throw new Error('no run');
    return itemRunId({ instance: of, arm, n });
  };
  const ids = [idOf(testgrad), idOf(trae), idOf(noRead), idOf(testgrad, 3), idOf(testgrad, 2, instance(['q', 'p']))];
  expect(new Set(ids).size).toBe(ids.length);
  expect(idOf(testgrad, 2, instance(['p', 'q']))).toBe(ids[0]);
  for (const id of ids) expect(parseWorkflowId(itemWorkflowId(id))).toEqual({ kind: 'item', runId: id });
  const runId = benchmarkRunIdOf(ref('plan'));
  expect(parseWorkflowId(workflowIdOf({ kind: 'bench', runId }))).toEqual({ kind: 'bench', runId });
});

async function reposFrom(text: string) {
  const file = join(dir, 'repos.yaml');
  await writeFile(file, text);
  const given = { given: 'repos.yaml', cwd: dir, env: process.env, python: process.execPath };
  return readLocalRepos({ ...given, sandbox: 'none', timeoutMs: 1_000 });
}

test('local repositories are found from their file', async () => {
  await mkdir(join(dir, 'lib'), { recursive: true });
  const repos = await reposFrom('acme/lib:\n  git: lib\n  testCmd: python -m unittest\n  pythonPath: [src]\n');
  expect(repos.get('acme/lib')).toEqual({
    ...{ kind: 'local', git: join(dir, 'lib'), python: process.execPath, testCommand: 'python -m unittest' },
    ...{ pythonPath: ['src'], sandbox: 'none', timeoutMs: 1_000 },
  });
});

test.each([
  ['acme: {git: lib}', /acme/],
  ['acme/lib: {}', /acme\/lib\.git/],
  ['acme/lib: {git: lib, pyhton: x}', /pyhton/],
  ['- a', /--local-repos repos\.yaml/],
  ['a: [', /--local-repos repos\.yaml/],
])('%s is refused', async (text, message) => {
  await expect(reposFrom(text)).rejects.toThrow(message);
});

test('without a dataset, without predictions, and for a repository of which nothing is known, nothing starts', async () => {
  const home = join(dir, 'home');
  await mkdir(home);
  const bench = (...args: readonly string[]) => runCli({ args: ['bench', ...args, '--methods', 'pass-count'], home });
  expect((await bench()).stderr).toMatch(/TG-I14 {2}No dataset/);
  expect((await bench('--dataset', 'nothing.jsonl', '--preds', 'a.jsonl')).stderr).toMatch(/TG-I03/);
  const file = join(dir, 'd.jsonl');
  const row = { instance_id: 'a__b-1', repo: 'a/b', base_commit: '0123456789', problem_statement: 'x' };
  await writeFile(file, `${JSON.stringify(row)}\n`);
  await writeFile(join(dir, 'p.jsonl'), `${JSON.stringify({ instance_id: 'a__b-1', model_patch: 'x' })}\n`);
  const repos = join(dir, 'others.yaml');
  await writeFile(repos, `c/d: {git: ${dir}}\n`);
  const refused = await bench('--dataset', file, '--preds', `one=${join(dir, 'p.jsonl')}`, '--local-repos', repos);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toMatch(/a__b-1: --local-repos says nothing of a\/b/);
  const strict = await bench('--dataset', file, '--preds', `one=${join(dir, 'p.jsonl')}`, '--strict');
  expect(strict.stderr).toMatch(/TG-I20/);
  const dry = await bench('--dataset', file, '--preds', `one=${join(dir, 'p.jsonl')}`, '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({ schema: 'testgrad.dry-run/1', instances: 1, images: 1 });
});
