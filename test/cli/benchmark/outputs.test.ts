import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArtifactStore } from '../../../src/artifacts/store.js';
import { getJson, putJson } from '../../../src/artifacts/values.js';
import { type WrittenBenchmark, writeBenchmark } from '../../../src/cli/benchmark/outputs.js';
import { storePlan } from '../../../src/cli/benchmark/store-plan.js';
import { openStore } from '../../../src/cli/places.js';
import type { Arm, PlannedInstance, PlannedItem, PlannedSlot } from '../../../src/core/benchmark-plan.js';
import type { BenchmarkEnd, BenchmarkResult, BenchmarkResults, ItemEnd } from '../../../src/core/benchmark-result.js';
import { presetSettings } from '../../../src/core/settings.js';
import { NO_USAGE } from '../../../src/core/usage.js';

let dir: string;
let store: ArtifactStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-outputs-'));
  store = await openStore(dir, {});
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const AGENTS = ['first', 'second', 'third'];
const settings = presetSettings({ preset: 'paper', model: 'm' });
const ARMS: readonly Arm[] = [
  { kind: 'run', name: 'testgrad', method: 'testgrad', ablation: null, settings },
  { kind: 'computed', name: 'single-2', method: 'single' },
  { kind: 'computed', name: 'oracle', method: 'oracle' },
];

const diff = (word: string): string =>
  `diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-old\n+${word}\n`;

async function slotsOf(words: readonly (string | null)[]): Promise<PlannedSlot[]> {
  return Promise.all(
    words.map(async (word, index): Promise<PlannedSlot> => {
      const agent = AGENTS[index] ?? '';
      if (word === null) return { agent, kind: 'missing' };
      if (word === '') return { agent, kind: 'empty' };
      const patch = await store.put({ bytes: Buffer.from(word), mediaType: 'text/x-diff' });
      return { agent, kind: 'patch', patch };
    }),
  );
}

/** How the run of an instance with n agents ended; null for a run that never was. */
type Ended = Partial<BenchmarkResult> | 'error' | null;

async function written({
  instances,
  ended,
  sizes = [3],
}: {
  instances: Readonly<Record<string, readonly (string | null)[]>>;
  ended: (instanceId: string, n: number) => Ended;
  sizes?: readonly number[];
}): Promise<WrittenBenchmark> {
  const planned = await Promise.all(
    Object.entries(instances).map(
      async ([instanceId, words]): Promise<PlannedInstance> => ({
        ...{ instanceId, row: await putJson({ store, value: {} }), slots: await slotsOf(words) },
        source: { kind: 'docker', image: 'none', timeoutMs: 1 },
      }),
    ),
  );
  const { plan } = await storePlan({
    store,
    about: { name: 'd', dataset: { key: 'k', split: 's', revision: null }, agents: AGENTS, arms: ARMS, sizes },
    instances: planned,
  });
  const items: ItemEnd[] = [];
  for (const page of plan.itemPages) {
    for (const { runId, instanceId, n } of await getJson<PlannedItem[]>({ store, ref: page })) {
      items.push(await endOf({ runId, instanceId, ended: ended(instanceId, n) }));
    }
  }
  const results: BenchmarkResults = { schema: 'testgrad.benchmark-results/1', runId: 'r', attempt: 0, items };
  const end: BenchmarkEnd = {
    ...{ schema: 'testgrad.benchmark-end/1', runId: 'r', finished: 0, errors: 0, missing: 0, complete: true },
    results: await putJson({ store, value: results }),
  };
  const known = ({ agent }: { agent: string }) => (agent === 'second' ? 'resolved' : 'unresolved');
  return writeBenchmark({ store, plan, end, known, folder: join(dir, 'out') });
}

async function endOf({
  runId,
  instanceId,
  ended,
}: {
  runId: string;
  instanceId: string;
  ended: Ended;
}): Promise<ItemEnd> {
  if (ended === null) return { kind: 'missing', runId };
  if (ended === 'error') return { kind: 'error', runId, code: 'TG-S01', message: 'no tests' };
  const result: BenchmarkResult = {
    ...{ schema: 'testgrad.benchmark-result/1', runId, instanceId, method: 'testgrad', selected: 'second' },
    ...{ decidedBy: 'created-test', reason: 'because', steps: 1, usage: NO_USAGE, separations: [], memory: [] },
    ...{ durations: { wallMs: 5, modelMs: null, executionMs: null }, instance: await putJson({ store, value: {} }) },
    candidates: [],
    ...ended,
  };
  return { kind: 'finished', runId, result: await putJson({ store, value: result }) };
}

const lines = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(dir, 'out', file), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('every instance with a patch has a prediction, and those of last resort are flagged beside', async () => {
  const { fallbacks, missing } = await written({
    instances: {
      chosen: [diff('a'), diff('b'), diff('c')],
      none: [diff('a'), diff('b'), null],
      failed: ['', diff('b'), diff('c')],
      empty: ['', null, ''],
      alone: [null, diff('b'), ''],
    },
    ended: (instanceId) => {
      if (instanceId === 'failed') return 'error';
      const excluded = [
        { agent: 'first', state: 'excluded' },
        { agent: 'second', state: 'usable' },
      ] as const;
      return instanceId === 'none' ? { selected: null, decidedBy: 'nothing', candidates: excluded } : {};
    },
  });
  expect((await lines('preds.jsonl')).map(({ instance_id: id, model_patch: patch }) => [id, patch])).toEqual([
    ['chosen', diff('b')],
    ['none', diff('b')],
    ['failed', diff('b')],
    ['alone', diff('b')],
  ]);
  expect(fallbacks).toBe(2);
  expect(await lines('fallbacks.jsonl')).toEqual([
    { instance_id: 'none', method: 'testgrad', n: 3, agent: 'second', reason: 'nothing: because' },
    { instance_id: 'failed', method: 'testgrad', n: 3, agent: 'second', reason: 'error: no tests' },
  ]);
  expect(await lines('errors.jsonl')).toMatchObject([{ instance_id: 'failed', code: 'TG-S01' }]);
  expect(missing).toBe(0);
});

test('text around a diff is left out of a prediction, and bytes that are not UTF-8 stay', async () => {
  await written({
    instances: { prose: [`Here it is:\n\`\`\`diff\n${diff('a')}\`\`\`\nDone.`, null, null] },
    ended: () => null,
  });
  expect((await lines('preds.jsonl')).map(({ model_patch: patch }) => patch)).toEqual([diff('a')]);
});

test('one run answers each N that has its patches, computed methods have no run, and what never ran is missing', async () => {
  const { records, missing, report } = await written({
    instances: { one: [diff('a'), diff('b'), null], two: [diff('a'), diff('b'), diff('c')] },
    sizes: [1, 2, 3],
    ended: (instanceId, n) => (instanceId === 'two' && n === 3 ? null : {}),
  });
  const shown = records.map(({ instanceId, method, candidates, chosen }) => [
    instanceId,
    method,
    candidates.length,
    chosen,
  ]);
  expect(shown.filter(([, method]) => method === 'testgrad')).toEqual([
    ['one', 'testgrad', 3, 1],
    ['one', 'testgrad', 2, 1],
    ['one', 'testgrad', 1, 0],
    ['two', 'testgrad', 2, 1],
    ['two', 'testgrad', 1, 0],
  ]);
  expect(missing).toBe(1);
  expect(report?.warnings.join(' ')).toMatch(/two/);
  expect(shown).toContainEqual(['two', 'oracle', 1, 0]);
  expect(shown).toContainEqual(['two', 'oracle', 2, 1]);
  // There is no second agent among one.
  expect(shown).toContainEqual(['one', 'single-2', 1, null]);
  expect((await readdir(join(dir, 'out', 'preds'))).sort()).toEqual([
    'testgrad.n1.jsonl',
    'testgrad.n2.jsonl',
    'testgrad.n3.jsonl',
  ]);
  // An agent without a patch resolves nothing, whoever has not graded it.
  expect(records[0]?.candidates.map(({ state, resolution }) => [state, resolution])).toEqual([
    ['usable', 'unresolved'],
    ['usable', 'resolved'],
    ['missing', 'unresolved'],
  ]);
});
