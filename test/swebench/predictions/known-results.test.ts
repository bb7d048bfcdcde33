import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectKnownResults } from '../../../src/swebench/predictions/known-results.js';
import { predictionSources } from '../../../src/swebench/predictions/prediction-sources.js';
import { inputsBench, jsonl } from './workbench.js';

let bench: Awaited<ReturnType<typeof inputsBench>>;

beforeEach(async () => {
  bench = await inputsBench();
});

afterEach(() => bench.remove());

const LETTERS = { resolved: 'y', unresolved: 'n', unknown: '?' } as const;

async function resultsOf({ given, agents = ['a'] }: { given: string; agents?: readonly string[] }) {
  const sources = predictionSources({ given: [given], cwd: bench.dir });
  const results = await collectKnownResults({ sources, agents });
  return (agent: string) =>
    ['i1', 'i2', 'i3', 'i4'].map((instanceId) => LETTERS[results.of({ agent, instanceId })]).join('');
}

const report = {
  total_instances: 4,
  resolved_instances: 1,
  completed_ids: ['i1', 'i2'],
  resolved_ids: ['i1'],
  unresolved_ids: ['i2'],
  error_ids: ['i3'],
  empty_patch_ids: ['i4'],
  schema_version: 2,
};

const LEADERBOARD = { no_generation: ['i2'], no_logs: [], resolved: ['i1'] };

/** One letter an instance: yes, no, or unknown. */
test.each([
  ["a run's report; an error is no verdict", 'a=r.json', { 'r.json': report }, 'yn?n'],
  ['a leaderboard, which names the resolved ones', 'a=sub', { 'sub/results/results.json': LEADERBOARD }, 'ynnn'],
  ['a leaderboard without success', 'a=sub', { 'sub/results/results.json': { resolved: [] } }, 'nnnn'],
  ['reports of instances', 'a=logs', { 'logs/i1/report.json': { i1: { resolved: true, tests_status: {} } } }, 'y???'],
  ['by id', 'a=r.json', { 'r.json': { i1: true, i2: false } }, 'yn??'],
  ['rows', 'a=r.jsonl', { 'r.jsonl': jsonl([{ instance_id: 'i3', resolved: true }]) }, '??y?'],
])('%s', async (_, given, files, expected) => {
  for (const [path, content] of Object.entries(files)) await bench.write(path, content);
  expect((await resultsOf({ given }))('a')).toBe(expected);
});

test('several candidates a row, and a file by agent', async () => {
  await bench.write('t.jsonl', jsonl([{ instance_id: 'i1', patches: ['', ''], success_id: [0, 1] }]));
  await bench.write('g.jsonl', jsonl([{ id: 'i2', diffs: ['', ''], eval_outcomes: [{ is_success: true }, null] }]));
  await bench.write('all.json', { a: { i1: true }, b: { i1: false, i2: true }, elsewhere: { i1: true }, none: {} });
  const trae = await resultsOf({ given: 't=t.jsonl', agents: ['t-1', 't-2'] });
  expect([trae('t-1')[0], trae('t-2')[0]]).toEqual(['n', 'y']);
  const augment = await resultsOf({ given: 'g.jsonl', agents: ['g-1', 'g-2'] });
  expect(augment('g-1')).toBe('?y??');
  const byAgent = await resultsOf({ given: 'all.json', agents: ['a', 'b'] });
  expect([byAgent('a'), byAgent('b')]).toEqual(['y???', 'ny??']);
});

test('results of nobody, and files without results, are refused', async () => {
  await bench.write('r.json', { i1: true });
  await bench.write('p.jsonl', jsonl([{ instance_id: 'i1', model_patch: 'x' }]));
  await expect(resultsOf({ given: 'z=r.json' })).rejects.toMatchObject({ code: 'TG-I14' });
  await expect(resultsOf({ given: 'a=p.jsonl' })).rejects.toMatchObject({ code: 'TG-I07' });
  await expect(resultsOf({ given: 'a=none.json' })).rejects.toMatchObject({ code: 'TG-I03' });
});
