import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importDataset } from '../../../src/swebench/datasets/import-dataset.js';
import { readGradingRows } from '../../../src/swebench/datasets/read-grading-rows.js';
import { readSelectionRows } from '../../../src/swebench/datasets/read-selection-rows.js';
import { liveRow, proRow, v5Row, verifiedRow } from './rows.js';

let dir: string;
let cacheDir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-dataset-'));
  cacheDir = join(dir, 'cache');
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const bring = (given: string) => importDataset({ given, cacheDir, cwd: dir, env: {} });

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test('all shapes come in one type, and what grades lies in another place that only its owner reads', async () => {
  await writeFile(join(dir, 'all.jsonl'), lines([verifiedRow(1), v5Row, proRow, liveRow]));
  const dataset = await bring('all.jsonl');
  expect(dataset).toMatchObject({ name: 'all.jsonl', revision: null, gradable: 4, problems: [] });
  expect(dataset.ids).toEqual(['acme__slug-1', 'acme__slug-5', proRow.instance_id, 'acme__slug-77']);
  expect(JSON.stringify(dataset)).not.toMatch(/GOLD|grading/);

  const selections = await all(readSelectionRows({ cacheDir, dataset }));
  expect(selections.map(({ shape }) => shape)).toEqual(['v4', 'v5', 'pro', 'live']);
  for (const name of await readdir(join(cacheDir, 'imported'), { recursive: true })) {
    const path = join(cacheDir, 'imported', name);
    if ((await stat(path)).isFile()) expect(await readFile(path, 'utf8')).not.toContain('GOLD');
  }
  const gradingFile = join(cacheDir, 'grading', `${dataset.key}.jsonl`);
  expect((await stat(gradingFile)).mode & 0o077).toBe(0);
  const gradings = await all(readGradingRows({ cacheDir, dataset, ids: new Set(['acme__slug-5']) }));
  expect(gradings.map(({ patch }) => patch)).toEqual([v5Row.patch]);
});

test('JSON, by id, JSONL and parquet give the same kind of rows', async () => {
  await writeFile(join(dir, 'list.json'), JSON.stringify([verifiedRow(1), verifiedRow(2)], null, 2));
  expect((await bring('list.json')).ids).toEqual(['acme__slug-1', 'acme__slug-2']);
  await writeFile(join(dir, 'map.json'), JSON.stringify({ a: verifiedRow(1) }));
  expect((await bring('map.json')).ids).toEqual(['acme__slug-1']);
  const parquet = await bring(join(import.meta.dirname, 'files', 'verified-snappy.parquet'));
  expect(parquet).toMatchObject({ gradable: 5, problems: [] });
  expect((await all(readGradingRows({ cacheDir, dataset: parquet })))[0]).toMatchObject({ patch: 'GOLD-PATCH\r\n' });
  const live = await bring(join(import.meta.dirname, 'files', 'live-zstd.parquet'));
  expect((await all(readSelectionRows({ cacheDir, dataset: live })))[0]).toMatchObject({
    createdAt: '2025-03-04T05:06:07.000Z',
    testCommands: ['pytest -rA', 'pytest -rA'],
  });
});

test('shards of a split in a folder belong together', async () => {
  await mkdir(join(dir, 'set', 'data'), { recursive: true });
  await writeFile(join(dir, 'set', 'data', 'test-00001-of-00002.jsonl'), lines([verifiedRow(2)]));
  await writeFile(join(dir, 'set', 'data', 'test-00000-of-00002.jsonl'), lines([verifiedRow(1)]));
  await writeFile(join(dir, 'set', 'data', 'dev-00000-of-00001.jsonl'), lines([verifiedRow(3)]));
  expect((await bring('set')).ids).toEqual(['acme__slug-1', 'acme__slug-2']);
  await expect(importDataset({ given: 'set', split: 'train', cacheDir, cwd: dir, env: {} })).rejects.toMatchObject({
    code: 'TG-I15',
    meaning: expect.stringContaining('dev, test'),
  });
});

test('bad rows and repeated ids are left out and told, with their places', async () => {
  const repeated = { ...verifiedRow(1), problem_statement: 'another' };
  await writeFile(join(dir, 'a.jsonl'), `${lines([verifiedRow(1), { x: 1 }])}{"cut\n${lines([repeated])}`);
  const dataset = await bring('a.jsonl');
  expect(dataset.ids).toEqual(['acme__slug-1']);
  expect(dataset.problems).toEqual([
    { place: 'line 2', instanceId: null, problem: 'no instance_id' },
    { place: 'line 3', instanceId: null, problem: expect.stringContaining('not JSON') },
    { place: 'line 4', instanceId: 'acme__slug-1', problem: expect.stringContaining('occurred before') },
  ]);
  expect((await all(readSelectionRows({ cacheDir, dataset })))[0]?.issue).toContain('parent link');
});

test('content is imported once, whatever its name; a removed part is made again', async () => {
  await writeFile(join(dir, 'a.jsonl'), lines([verifiedRow(1)]));
  await writeFile(join(dir, 'b.jsonl'), lines([verifiedRow(1)]));
  const first = await bring('a.jsonl');
  const made = await stat(join(cacheDir, 'grading', `${first.key}.jsonl`));
  const second = await bring('b.jsonl');
  expect(second).toEqual({ ...first, name: 'b.jsonl' });
  expect((await stat(join(cacheDir, 'grading', `${first.key}.jsonl`))).ino).toBe(made.ino);
  await rm(join(cacheDir, 'grading'), { recursive: true });
  await bring('a.jsonl');
  expect(await all(readGradingRows({ cacheDir, dataset: first }))).toHaveLength(1);
});

test('what is no dataset is refused, and leaves nothing behind', async () => {
  await writeFile(join(dir, 'preds.jsonl'), lines([{ instance_id: 'acme__slug-1', model_patch: 'x' }]));
  await expect(bring('preds.jsonl')).rejects.toMatchObject({ code: 'TG-I21', what: expect.stringContaining('line 1') });
  await expect(bring('absent.jsonl')).rejects.toMatchObject({ code: 'TG-I03' });
  const left = (await readdir(cacheDir, { recursive: true })).filter((name) => /jsonl/.test(name));
  expect(left).toEqual([]);
});

test('a task repository of harness version 5 is read like its rows, CR and all', async () => {
  const { patch, test_patch, eval_script, problem_statement, hints_text, FAIL_TO_PASS, PASS_TO_PASS, ...rest } = v5Row;
  const task = async ({ id, split }: { id: string; split: string }): Promise<void> => {
    const folder = join(dir, 'repo', 'tasks', id);
    await mkdir(folder, { recursive: true });
    const columns = Object.entries({ ...rest, instance_id: id, split, datasets: ['full'] });
    // JSON is YAML.
    await writeFile(
      join(folder, 'task.yaml'),
      columns.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join(''),
    );
    await writeFile(join(folder, 'tests.json'), JSON.stringify({ FAIL_TO_PASS: ['GOLD_a'], PASS_TO_PASS: [] }));
    await writeFile(join(folder, 'gold.patch'), String(patch));
    await writeFile(join(folder, 'test.patch'), String(test_patch));
    await writeFile(join(folder, 'eval.sh'), String(eval_script));
    await writeFile(join(folder, 'problem_statement.md'), String(problem_statement));
  };
  await task({ id: 'acme__slug-2', split: 'test' });
  await task({ id: 'acme__slug-1', split: 'test' });
  await task({ id: 'acme__slug-9', split: 'deprecated' });
  await mkdir(join(dir, 'repo', 'tasks', 'acme__slug-5'));
  await writeFile(join(dir, 'repo', 'tasks', 'acme__slug-5', 'task.yaml'), 'a: [');
  const dataset = await bring('repo');
  expect(dataset.ids).toEqual(['acme__slug-1', 'acme__slug-2']);
  expect(dataset.problems).toMatchObject([{ place: 'acme__slug-5' }]);
  const [selection] = await all(readSelectionRows({ cacheDir, dataset }));
  expect(JSON.stringify(selection)).not.toContain('GOLD');
  expect(selection).toMatchObject({ shape: 'v5', image: v5Row.image, issue: problem_statement });
  const [grading] = await all(readGradingRows({ cacheDir, dataset }));
  expect(grading).toMatchObject({ patch, testPatch: test_patch, evalScript: eval_script, failToPass: ['GOLD_a'] });
});
