import { readJsonl } from './read-jsonl.js';

/** Rows of one half of an imported dataset, in its order; only those of `ids` where given. The import has checked them. */
export async function* readRows<Row extends { readonly instanceId: string }>({
  path,
  ids,
}: {
  path: string;
  ids: ReadonlySet<string> | undefined;
}): AsyncGenerator<Row> {
  for await (const item of readJsonl({ path })) {
    if (item.kind === 'malformed') throw new Error(`damaged import of a dataset: ${item.place}: ${item.problem}`);
    const row = item.value as Row;
    if (ids === undefined || ids.has(row.instanceId)) yield row;
  }
}
