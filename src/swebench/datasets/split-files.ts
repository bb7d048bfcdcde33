const DATA_FILE = /\.(parquet|jsonl|ndjson|json)$/i;
const NOT_DATA = /(^|\/)(dataset_infos?|dataset_dict|state|package|metadata)\.json$/i;

/** Files of one split of a dataset, or the splits that there are instead. */
export type SplitFiles =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'none'; readonly splits: readonly string[] };

/**
 * Finds the files of a split among the paths of a dataset: `data/test-00000-of-00002.parquet`, `test.jsonl`,
 * `default/test/0000.parquet`. Parquet is preferred to JSON, a folder `data` or `default` to others, the first to the rest;
 * shards of one folder belong together and come in the order of their names.
 */
export function splitFiles({ paths, split }: { paths: readonly string[]; split: string }): SplitFiles {
  const data = paths.filter((path) => DATA_FILE.test(path) && !NOT_DATA.test(path)).sort();
  const named = data.filter((path) => splitOf(path) === split);
  if (named.length === 0) {
    const splits = data.map(splitOf).filter((name) => name !== null);
    return { kind: 'none', splits: [...new Set(splits)] };
  }
  const parquet = named.filter((path) => /\.parquet$/i.test(path));
  const chosen = parquet.length > 0 ? parquet : named;
  const folders = [...new Set(chosen.map(folderOf))];
  const folder = folders.find((name) => /^(data|default)(\/|$)/.test(name)) ?? folders[0];
  return { kind: 'files', files: chosen.filter((path) => folderOf(path) === folder) };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** `test` of `data/test-00000-of-00001.parquet`, `test.jsonl` and `default/test/0000.parquet`; null where none shows. */
function splitOf(path: string): string | null {
  const parts = path.split('/');
  const name = (parts.pop() ?? '').replace(DATA_FILE, '').replace(/-\d{5}-of-\d{5}$/, '');
  if (/^\d+$/.test(name)) return parts.pop() ?? null;
  return name === '' ? null : name;
}
