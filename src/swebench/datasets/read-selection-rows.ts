import { type Dataset, selectionFile } from './dataset.js';
import { readRows } from './read-rows.js';
import type { SelectionRow } from './selection-row.js';

/**
 * What a selection may see of a dataset's instances, one after the other, in the order of the dataset; only those of
 * `ids` where given. Rejects with the file system's error when the cache was removed since the import.
 */
export function readSelectionRows({
  cacheDir,
  dataset,
  ids,
}: {
  cacheDir: string;
  dataset: Pick<Dataset, 'key'>;
  ids?: ReadonlySet<string>;
}): AsyncGenerator<SelectionRow> {
  return readRows<SelectionRow>({ path: selectionFile({ cacheDir, key: dataset.key }), ids });
}
