import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstanceRecord } from '../../src/core/metrics/record.js';
import { readInstanceRecord } from '../../src/report/instance-record-schema.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { buildCli, startCli } from '../support/built-cli.js';
import { sandboxHere } from '../support/instances.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { scriptedBenchmark } from '../support/scripted-benchmark.js';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/bench/', import.meta.url));
const AGENTS = ['atlas', 'birch', 'cedar', 'delta'];

let dir: string;
let home: string;
let model: ScriptedModel;
let inputs: readonly string[];
/** True while the endpoint refuses what Augment asks. */
let refuses = false;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-bench-'));
  home = join(dir, 'home');
  execFileSync(process.execPath, [join(EXAMPLE, 'make.mjs'), join(dir, 'small')]);
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  model = await startScriptedModel({
    script: (request, n) =>
      refuses && JSON.stringify(request.messages).includes('solution_index')
        ? { status: 400, body: { error: { message: 'refused' } } }
        : scriptedBenchmark(request, n),
  });
  const small = join(dir, 'small');
  inputs = [
    ...['--dataset', join(small, 'dataset.jsonl'), '--local-repos', join(small, 'repos.yaml')],
    ...AGENTS.flatMap((agent) => ['--preds', `${agent}=${join(small, 'preds', `${agent}.jsonl`)}`]),
    ...AGENTS.flatMap((agent) => ['--results', `${agent}=${join(small, 'results', `${agent}.json`)}`]),
    ...['--python', python, '--sandbox', sandbox, '--model', 'scripted', '--write', join(dir, 'out')],
  ];
  await buildCli();
}, 240_000);

afterAll(async () => {
  await stopLocalStack({ home, workerGraceMs: 5_000 });
  await model?.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

const testgrad = (...args: readonly string[]) =>
  startCli({
    args,
    home,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-e2e-0123456789abcdef',
      TESTGRAD_CACHE: join(dir, 'cache'),
      TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH ?? '',
    },
  }).end;

const linesOf = async (file: string): Promise<unknown[]> =>
  (await readFile(join(dir, 'out', file), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

async function recordsOf(): Promise<InstanceRecord[]> {
  return (await linesOf('records.jsonl')).map((value) => {
    const read = readInstanceRecord(value);
    if (read.kind === 'problem') throw new Error(read.problem);
    return read.record;
  });
}

test('the committed files are what the script makes', async () => {
  for (const file of [
    'dataset.jsonl',
    'repos.yaml',
    ...AGENTS.flatMap((a) => [`preds/${a}.jsonl`, `results/${a}.json`]),
  ]) {
    expect(await readFile(join(dir, 'small', file), 'utf8'), file).toBe(await readFile(join(EXAMPLE, file), 'utf8'));
  }
});

const METHODS = ['testgrad', 'augment', 'agentless', 'trae', 'pass-count', 'single', 'random', 'oracle', 'adversary'];

test('all methods run on the small benchmark, an error is run again, and the tables are fixed', async () => {
  const command = ['bench', ...inputs, '--methods', METHODS.join(','), '-n', '1,3..4', '--json'];
  refuses = true;
  const failed = await testgrad(...command);
  expect(failed.exitCode, failed.stderr).toBe(20);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    outcome: 'finished',
    runs: { finished: 8, errors: 2, missing: 0 },
  });
  expect(await linesOf('errors.jsonl')).toMatchObject([
    { instance_id: 'acme__slugs-1', method: 'augment', n: 4, code: 'TG-M06' },
    { instance_id: 'acme__slugs-1', method: 'augment', n: 3, code: 'TG-M06' },
    { instance_id: 'acme__spans-1', method: 'augment', n: 4, code: 'TG-M06' },
    { instance_id: 'acme__spans-1', method: 'augment', n: 3, code: 'TG-M06' },
  ]);

  refuses = false;
  const before = model.count();
  const retried = await testgrad('retry', 'last', '--write', join(dir, 'out'));
  expect(retried.exitCode, retried.stderr).toBe(0);
  // One call for each of the two that failed, and none for those that did not.
  expect(model.count() - before).toBe(2);

  const again = await testgrad(...command);
  expect(again.exitCode).toBe(0);
  expect(model.count() - before).toBe(2);

  const records = await recordsOf();
  const chosen = (method: string, n: number) =>
    records
      .filter((record) => record.method === method && record.candidates.length === n)
      .map((record) => [record.decidedBy, record.chosen]);
  const settled = [
    ['equivalent', 0],
    ['single-candidate', 1],
  ];
  expect(chosen('testgrad', 4)).toEqual([['created-test', 1], ['created-test', 0], ...settled]);
  expect(chosen('testgrad', 3)).toEqual(chosen('testgrad', 4));
  expect(chosen('augment', 4)).toEqual([['judge', 0], ['judge', 0], ...settled]);
  expect(chosen('agentless', 4)).toEqual([['rule', 1], ['rule', 0], ...settled]);
  expect(chosen('trae', 4)).toEqual([['rule', 1], ['rule', 1], ...settled]);
  expect(chosen('pass-count', 4)).toEqual([['rule', 0], ['rule', 0], ...settled]);
  expect(records).toHaveLength(4 * METHODS.length * 3);

  const predictions = (await linesOf('preds.jsonl')) as { instance_id: string; model_patch: string }[];
  expect(predictions.map(({ instance_id: id }) => id)).toEqual([
    'acme__slugs-1',
    'acme__spans-1',
    'acme__totals-1',
    'acme__totals-2',
  ]);
  const birch = (await readFile(join(EXAMPLE, 'preds', 'birch.jsonl'), 'utf8')).split('\n')[0] ?? '';
  expect(predictions[0]?.model_patch).toBe((JSON.parse(birch) as { model_patch: string }).model_patch);
  await expect(readFile(join(dir, 'out', 'tables', 'methods.csv'), 'utf8')).resolves.toMatchFileSnapshot(
    'golden/bench-methods.csv',
  );
  await expect(readFile(join(dir, 'out', 'tables', 'ensemble.csv'), 'utf8')).resolves.toMatchFileSnapshot(
    'golden/bench-ensemble.csv',
  );
}, 400_000);
