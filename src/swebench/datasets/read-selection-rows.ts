import { type Dataset, selectionFile } from './dataset.js';
import { readJsonl } from './read-jsonl.js';
import type { SelectionRow } from './selection-row.js';

/**
 * What a selection may see of a dataset's instances, one after the other, in the order of the dataset; only those of
 * `ids` where given. Rejects with the file system's error when the cache was removed since the import.
 */
export async function* readSelectionRows({
  cacheDir,
  dataset,
  ids,
}: {
  cacheDir: string;
  dataset: Pick<Dataset, 'key'>;
  ids?: ReadonlySet<string>;
}): AsyncGenerator<SelectionRow> {
  for await (const item of readJsonl({ path: selectionFile({ cacheDir, key: dataset.key }) })) {
    if (item.kind === 'malformed') throw new Error(`damaged import of a dataset: ${item.place}: ${item.problem}`);
    const row = item.value as SelectionRow;
    if (ids === undefined || ids.has(row.instanceId)) yield row;
  }
}
