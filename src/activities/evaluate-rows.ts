import type { Dataset } from '../swebench/datasets/dataset.js';
import { readGradingRows } from '../swebench/datasets/read-grading-rows.js';
import { readSelectionRows } from '../swebench/datasets/read-selection-rows.js';
import { type EvaluationInstance, evaluationInstance } from '../swebench/instance.js';

/** Instances of an imported dataset, whole, for an evaluation; only those of `ids` where given, in the dataset's order. */
export async function evaluationInstances({
  cacheDir,
  dataset,
  ids,
}: {
  cacheDir: string;
  dataset: Pick<Dataset, 'key'>;
  ids?: ReadonlySet<string>;
}): Promise<readonly EvaluationInstance[]> {
  const wanted = { cacheDir, dataset, ...(ids === undefined ? {} : { ids }) };
  const grading = new Map<string, Parameters<typeof evaluationInstance>[0]['grading']>();
  for await (const row of readGradingRows(wanted)) grading.set(row.instanceId, row);
  const instances: EvaluationInstance[] = [];
  for await (const selection of readSelectionRows(wanted)) {
    const row = grading.get(selection.instanceId);
    if (row?.gradable === true) instances.push(evaluationInstance({ selection, grading: row }));
  }
  return instances;
}
