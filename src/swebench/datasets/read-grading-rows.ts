import type { Dataset } from './dataset.js';
import { gradingFile } from './grading-file.js';
import type { GradingRow } from './grading-row.js';
import { readRows } from './read-rows.js';

/**
 * What grades a dataset's instances, one after the other, in the order of the dataset; only those of `ids` where given.
 * For evaluation only: nothing that takes part in a selection may import this file, and a test holds that.
 *
 * Rejects with the file system's error when the cache was removed since the import.
 */
export function readGradingRows({
  cacheDir,
  dataset,
  ids,
}: {
  cacheDir: string;
  dataset: Pick<Dataset, 'key'>;
  ids?: ReadonlySet<string>;
}): AsyncGenerator<GradingRow> {
  return readRows<GradingRow>({ path: gradingFile({ cacheDir, key: dataset.key }), ids });
}
