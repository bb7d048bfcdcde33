import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dataset } from '../../../src/swebench/datasets/dataset.js';
import { importDataset } from '../../../src/swebench/datasets/import-dataset.js';
import { readGradingRows } from '../../../src/swebench/datasets/read-grading-rows.js';
import { readSelectionRows } from '../../../src/swebench/datasets/read-selection-rows.js';
import { collectInputs } from '../../../src/swebench/predictions/collect-inputs.js';
import { collectKnownResults } from '../../../src/swebench/predictions/known-results.js';
import { predictionSources } from '../../../src/swebench/predictions/prediction-sources.js';

/** Folder with `instances.jsonl`, `predictions/*.jsonl` and `truth/labels-from-sources.json`. */
const data = process.env.TESTGRAD_SWEBENCH_DATA ?? '';

describe.skipIf(data === '')('real instances and predictions', () => {
  let cacheDir: string;
  let dataset: Dataset;

  beforeAll(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), 'testgrad-real-'));
    dataset = await importDataset({ given: join(data, 'instances.jsonl'), cacheDir, cwd: '/', env: {} });
  });

  afterAll(() => rm(cacheDir, { recursive: true, force: true }));

  test('every row is read, and no test that grades nor any line of the fix is in what a selection sees', async () => {
    expect(dataset.problems).toEqual([]);
    const gradings = readGradingRows({ cacheDir, dataset });
    let rows = 0;
    for await (const selection of readSelectionRows({ cacheDir, dataset })) {
      const { value: grading } = await gradings.next();
      if (grading === undefined) throw new Error('fewer rows that grade');
      expect(grading.instanceId).toBe(selection.instanceId);
      expect(grading.gradable && grading.patch.startsWith('diff --git')).toBe(true);
      const { issue: _, ...seen } = selection;
      const text = JSON.stringify(seen);
      for (const name of grading.failToPass) expect(text).not.toContain(name);
      rows += 1;
    }
    expect(rows).toBe(dataset.ids.length);
    expect(rows).toBe((await readFile(join(data, 'instances.jsonl'), 'utf8')).trimEnd().split('\n').length);
  });

  test('every prediction is read byte for byte, and known results are found beside', async () => {
    const folder = join(data, 'predictions');
    const files = (await readdir(folder)).sort();
    const kept = new Map<string, string>();
    const { agents, instances, report } = await collectInputs({
      sources: predictionSources({ given: files, cwd: folder }),
      dataset,
      keepPatch: async (bytes) => {
        const digest = createHash('sha256').update(bytes).digest('hex');
        kept.set(digest, Buffer.from(bytes).toString());
        return { digest, bytes: bytes.length, mediaType: 'text/x-diff' };
      },
    });
    let predictions = 0;
    for (const [index, file] of files.entries()) {
      for (const line of (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n')) {
        const { instance_id: id, model_patch: patch } = JSON.parse(line) as Record<string, string>;
        const slot = instances.find(({ instanceId }) => instanceId === id)?.slots[index];
        expect(slot?.kind === 'patch' && kept.get(slot.patch.digest)).toBe(patch);
        predictions += 1;
      }
    }
    const found = report.sources.flatMap((source) => source.agents);
    expect(found.reduce((sum, agent) => sum + agent.patches, 0)).toBe(predictions);
    expect(
      report.sources.flatMap(({ malformed, otherFields, unknown }) => [...malformed, ...otherFields, ...unknown]),
    ).toEqual([]);
    expect(found.flatMap(({ prose, fenced, noDiff }) => [...prose, ...fenced, ...noDiff])).toEqual([]);
    const labels = predictionSources({ given: [join(data, 'truth/labels-from-sources.json')], cwd: '/' });
    const results = await collectKnownResults({ sources: labels, agents });
    expect(results.of({ agent: 'trae-example-3', instanceId: 'astropy__astropy-14369' })).toBe('unresolved');
    expect(results.of({ agent: 'trae-example-4', instanceId: 'astropy__astropy-14369' })).toBe('resolved');
  });
});
