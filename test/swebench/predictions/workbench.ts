import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ArtifactRef } from '../../../src/core/artifact.js';
import type { Dataset } from '../../../src/swebench/datasets/dataset.js';
import { type CollectedInputs, collectInputs } from '../../../src/swebench/predictions/collect-inputs.js';
import { predictionSources } from '../../../src/swebench/predictions/prediction-sources.js';

/** A diff that says which it is. */
export const diff = (mark: string): string =>
  `diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-old\n+${mark}\n context\n`;

/** A dataset of these instances. */
export const datasetOf = (...ids: readonly string[]): Dataset => ({
  schema: 'testgrad.dataset/1',
  key: 'k',
  name: 'verified',
  revision: null,
  split: 'test',
  ids,
  gradable: ids.length,
  problems: [],
  notices: [],
});

/** A folder of prediction files, and what is read from it. */
export async function inputsBench() {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-preds-'));
  const kept = new Map<string, Uint8Array>();
  const keepPatch = async (bytes: Uint8Array): Promise<ArtifactRef> => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    kept.set(digest, bytes);
    return { digest, bytes: bytes.length, mediaType: 'text/x-diff' };
  };
  return {
    dir,
    write: async (name: string, content: string | Uint8Array | object): Promise<void> => {
      const path = join(dir, name);
      await mkdir(dirname(path), { recursive: true });
      const isPlain = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(path, isPlain ? content : JSON.stringify(content, null, 1));
    },
    collect: (given: readonly string[], dataset: Dataset, chosen?: readonly string[]): Promise<CollectedInputs> =>
      collectInputs({
        sources: predictionSources({ given, cwd: dir }),
        dataset,
        keepPatch,
        ...(chosen === undefined ? {} : { chosen }),
      }),
    /** The candidates of an instance as text; null for a missing one. */
    texts: ({ instances }: CollectedInputs, instanceId: string): (string | null)[] =>
      (instances.find((instance) => instance.instanceId === instanceId)?.slots ?? []).map((slot) => {
        if (slot.kind !== 'patch') return slot.kind === 'empty' ? '' : null;
        return Buffer.from(kept.get(slot.patch.digest) ?? []).toString('latin1');
      }),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Rows as JSONL. */
export const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A row in the format of SWE-bench. */
export const row = (instanceId: string, patch: string | null): object => ({
  instance_id: instanceId,
  model_name_or_path: 'model',
  model_patch: patch,
});
