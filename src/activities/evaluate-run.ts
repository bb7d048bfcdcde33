import { resolve } from 'node:path';
import { InputError } from '../errors.js';
import { importDataset } from '../swebench/datasets/import-dataset.js';
import { readGradingRows } from '../swebench/datasets/read-grading-rows.js';
import {
  type EvaluationPrediction,
  type EvaluationProgress,
  type EvaluationRun,
  evaluateInstances,
} from '../swebench/evaluate/evaluate-instances.js';
import type { OpenPlace } from '../swebench/evaluate/place.js';
import { readPredictionFile } from '../swebench/evaluate/prediction-file.js';
import type { HarnessRules } from '../swebench/logs/log-parser.js';
import { evaluationInstances } from './evaluate-rows.js';

/**
 * Evaluates a file of predictions against a dataset, both as they are named on a command line.
 *
 * `predictions` is a path, or `gold` for the developers' own patches. Only `instances` are evaluated where given. Throws
 * as importing a dataset, {@link readPredictionFile} and {@link evaluateInstances} do, and TG-I14 for an instance that
 * the dataset does not have or that cannot be graded.
 */
export async function evaluateRun({
  dataset: given,
  split = 'test',
  predictions: predictionsGiven,
  instances: chosen = [],
  open,
  runId,
  outDir,
  rules,
  workers,
  timeoutMs,
  cacheDir,
  cwd,
  env,
  signal,
  onProgress,
}: {
  dataset: string;
  split?: string;
  predictions: string;
  /** Instance ids; empty for all of the dataset. */
  instances?: readonly string[];
  open: OpenPlace;
  runId: string;
  /** Absolute; takes `logs/run_evaluation/…` and the report. */
  outDir: string;
  rules?: HarnessRules;
  workers?: number;
  timeoutMs?: number;
  /** Of imported datasets. */
  cacheDir: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  onProgress?: (progress: EvaluationProgress) => void;
}): Promise<EvaluationRun> {
  const dataset = await importDataset({ given, split, cacheDir, cwd, env });
  const ids = chosen.length === 0 ? undefined : new Set(chosen);
  const wanted = { cacheDir, dataset, ...(ids === undefined ? {} : { ids }) };
  const instances = await evaluationInstances(wanted);
  const found = new Set(instances.map(({ instanceId }) => instanceId));
  const missing = chosen.filter((id) => !found.has(id));
  if (missing.length > 0) {
    throw new InputError({
      code: 'TG-I14',
      what: `${given}, split ${split}, has no instance to grade named ${missing.slice(0, 5).join(', ')}.`,
      meaning: 'Nothing was evaluated.',
      fix: 'Check the ids and the split.',
    });
  }
  const predictions =
    predictionsGiven === 'gold'
      ? await goldPredictions(wanted)
      : await readPredictionFile({ path: resolve(cwd, predictionsGiven) });
  return evaluateInstances({
    instances,
    predictions,
    knownIds: new Set(dataset.ids),
    open,
    runId,
    logsDir: resolve(outDir, 'logs'),
    reportDir: outDir,
    ...(rules === undefined ? {} : { rules }),
    ...(workers === undefined ? {} : { workers }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

async function goldPredictions(wanted: Parameters<typeof readGradingRows>[0]): Promise<EvaluationPrediction[]> {
  const predictions: EvaluationPrediction[] = [];
  for await (const { instanceId, patch } of readGradingRows(wanted)) {
    predictions.push({ instanceId, model: 'gold', patch: Buffer.from(patch) });
  }
  return predictions;
}
