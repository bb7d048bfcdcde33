import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateRun } from '../../../src/activities/evaluate-run.js';
import type { OpenPlace } from '../../../src/swebench/evaluate/place.js';
import { IMAGE_LAYOUT } from '../../../src/swebench/scripts/place.js';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-evaluate-run-'));
  const row = {
    repo: 'pallets/flask',
    base_commit: 'b'.repeat(40),
    version: '2.3',
    problem_statement: 'It is broken.',
    patch: 'diff --git a/gold.py b/gold.py\n',
    test_patch: 'diff --git a/t.py b/t.py\n--- a/t.py\n+++ b/t.py\n@@ -1 +1 @@\n-a\n+b\n',
    FAIL_TO_PASS: '["t.py::test"]',
    PASS_TO_PASS: [],
  };
  const rows = ['one', 'two'].map((name) => JSON.stringify({ ...row, instance_id: `pallets__flask-${name}` }));
  await writeFile(join(dir, 'data.jsonl'), `${rows.join('\n')}\n`);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A place whose scripts all end well, and whose log says that the test passed when the patch holds a word. */
const place: OpenPlace = async () => {
  let isRight = false;
  return {
    layout: IMAGE_LAYOUT,
    put: async (files) => {
      for (const { path, bytes } of files)
        if (path === '/tmp/patch.diff') isRight = Buffer.from(bytes).includes('gold');
    },
    bash: async () => ({
      exit: { kind: 'exited', code: 0 },
      log: `>>>>> Start Test Output\n${isRight ? 'PASSED' : 'FAILED'} t.py::test\n>>>>> End Test Output\n`,
      durationMs: 1,
    }),
    close: async () => undefined,
  };
};

const evaluate = (more: { predictions: string; instances?: readonly string[]; runId?: string }) =>
  evaluateRun({
    dataset: join(dir, 'data.jsonl'),
    open: place,
    runId: 'r',
    outDir: join(dir, 'out'),
    cacheDir: join(dir, 'cache'),
    cwd: dir,
    env: {},
    ...more,
  });

test('gold and files of predictions in both JSON forms are evaluated under the models’ names', async () => {
  const gold = await evaluate({ predictions: 'gold' });
  expect(gold.report).toMatchObject({ resolved_instances: 2, total_instances: 2 });
  expect(gold.reportFile).toBe(join(dir, 'out/gold.r.json'));

  const wrong = { instance_id: 'pallets__flask-one', model_name_or_path: 'a/b', model_patch: 'diff', extra: 1 };
  const none = { instance_id: 'pallets__flask-two', model_name_or_path: 'a/b', model_patch: null };
  await writeFile(join(dir, 'preds.json'), JSON.stringify({ one: wrong, two: none }));
  const found = await evaluate({ predictions: 'preds.json' });
  expect(found.report).toMatchObject({ unresolved_ids: [wrong.instance_id], empty_patch_ids: [none.instance_id] });
  const text = await readFile(join(dir, 'out/a__b.r.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(found.report);

  await writeFile(
    join(dir, 'preds.jsonl'),
    `${JSON.stringify(wrong)}\n${JSON.stringify({ ...wrong, model_patch: 'gold' })}\n`,
  );
  const chosen = await evaluate({ predictions: 'preds.jsonl', instances: [wrong.instance_id], runId: 'later' });
  // The later of two predictions for an instance counts.
  expect(chosen.report).toMatchObject({ total_instances: 1, resolved_ids: [wrong.instance_id] });
});

test.for([
  ['{"model_patch": "x"}\n', 'TG-I18'],
  ['{"instance_id": "pallets__flask-one", "model_patch": 7}\n', 'TG-I18'],
  ['{"instance_id": "pallets__flask-one"\n', 'TG-I18'],
  ['{"instance_id": "elsewhere-1", "model_patch": "x"}\n', 'TG-I14'],
])('%j is refused', async ([text, code]) => {
  await writeFile(join(dir, 'bad.jsonl'), text ?? '');
  await expect(evaluate({ predictions: 'bad.jsonl' })).rejects.toMatchObject({ code });
});

test('an instance that the dataset does not have is refused', async () => {
  await expect(evaluate({ predictions: 'gold', instances: ['nobody'] })).rejects.toMatchObject({ code: 'TG-I14' });
});
