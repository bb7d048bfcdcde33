import { InputError } from '../../errors.js';
import { readItems } from '../datasets/read-items.js';
import type { EvaluationPrediction } from './evaluate-instances.js';

/** Model name of predictions that do not name one, as in the harness. */
const NO_MODEL = 'None';

/**
 * Reads a file of predictions as the harness does: JSONL, a JSON list, or a JSON object whose values are the
 * predictions; `instance_id`, `model_name_or_path` and `model_patch` (text or null) count, all else is passed over.
 * A prediction without a patch comes with an empty one.
 *
 * Throws TG-I18 for a row that is no prediction, where the harness stops as well; TG-I06 for a file in no known format;
 * rejects with the file system's error.
 */
export async function readPredictionFile({ path }: { path: string }): Promise<readonly EvaluationPrediction[]> {
  const predictions: EvaluationPrediction[] = [];
  for await (const item of readItems({ path })) {
    if (item.kind === 'malformed') throw noPrediction({ path, place: item.place, problem: item.problem });
    const row = typeof item.value === 'object' && item.value !== null ? (item.value as Record<string, unknown>) : {};
    const { instance_id: instanceId, model_name_or_path: model = NO_MODEL, model_patch: patch } = row;
    if (typeof instanceId !== 'string') throw noPrediction({ path, place: item.place, problem: 'no instance_id' });
    if (typeof model !== 'string')
      throw noPrediction({ path, place: item.place, problem: 'model_name_or_path is no text' });
    if (patch !== null && patch !== undefined && typeof patch !== 'string') {
      throw noPrediction({ path, place: item.place, problem: 'model_patch is no text' });
    }
    predictions.push({ instanceId, model, patch: Buffer.from(patch ?? '') });
  }
  return predictions;
}

function noPrediction({ path, place, problem }: { path: string; place: string; problem: string }): InputError {
  return new InputError({
    code: 'TG-I18',
    what: `${path}, ${place}: ${problem}.`,
    meaning: 'Nothing was evaluated.',
    fix: 'Give rows with instance_id, model_name_or_path and model_patch.',
  });
}
