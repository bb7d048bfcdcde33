import type { Dataset } from './dataset.js';
import { gradingFile } from './grading-file.js';
import type { GradingRow } from './grading-row.js';
import { readJsonl } from './read-jsonl.js';

/**
 * What grades a dataset's instances, one after the other, in the order of the dataset; only those of `ids` where given.
 * For evaluation only: nothing that takes part in a selection may import this file, and a test holds that.
 *
 * Rejects with the file system's error when the cache was removed since the import.
 */
export async function* readGradingRows({
  cacheDir,
  dataset,
  ids,
}: {
  cacheDir: string;
  dataset: Pick<Dataset, 'key'>;
  ids?: ReadonlySet<string>;
}): AsyncGenerator<GradingRow> {
  for await (const item of readJsonl({ path: gradingFile({ cacheDir, key: dataset.key }) })) {
    if (item.kind === 'malformed') throw new Error(`damaged import of a dataset: ${item.place}: ${item.problem}`);
    const row = item.value as GradingRow;
    if (ids === undefined || ids.has(row.instanceId)) yield row;
  }
}
