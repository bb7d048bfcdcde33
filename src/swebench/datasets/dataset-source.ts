import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../errors.js';

/** Where a dataset comes from. */
export type DatasetSource =
  /** A file, or a folder with the files of the split. */
  | { readonly kind: 'local'; readonly path: string; readonly isFolder: boolean }
  /** A dataset of the Hugging Face hub. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string };

/** Short names, as the SWE-bench command line has them, and those of the two datasets that succeed Verified. */
const ALIASES: Readonly<Record<string, string>> = {
  full: 'SWE-bench/SWE-bench',
  lite: 'SWE-bench/SWE-bench_Lite',
  verified: 'SWE-bench/SWE-bench_Verified',
  multimodal: 'SWE-bench/SWE-bench_Multimodal',
  multilingual: 'SWE-bench/SWE-bench_Multilingual',
  pro: 'ScaleAI/SWE-bench_Pro',
  live: 'SWE-bench-Live/SWE-bench-Live',
};

/**
 * What a name of a dataset means: a file or folder that is there, a short name (`verified`, `lite`, `full`, `pro`, `live`,
 * `multimodal`, `multilingual`), or a Hugging Face id `owner/name`; the latter two with `@REVISION` (branch, tag or
 * commit; default `main`). Something that is there is preferred.
 *
 * Throws TG-I03 for what is none of these.
 */
export async function datasetSource({ given, cwd }: { given: string; cwd: string }): Promise<DatasetSource> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => null);
  if (found !== null) return { kind: 'local', path, isFolder: found.isDirectory() };
  const [, name = '', revision = 'main'] = /^([^@]*)(?:@([\w./-]+))?$/.exec(given) ?? [];
  const id = ALIASES[name.toLowerCase()] ?? name;
  const looksLikeFile = /\.(jsonl?|ndjson|parquet)$/i.test(name) || /^[./~]/.test(name);
  if (!looksLikeFile && /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(id) && !revision.includes('..')) {
    return { kind: 'hub', id, revision };
  }
  throw new InputError({
    code: 'TG-I03',
    what: `--dataset ${given}: there is no such file.`,
    meaning: 'Nothing was started.',
    fix: `Name a JSON, JSONL or parquet file, ${Object.keys(ALIASES).join(', ')}, or a Hugging Face id owner/name.`,
  });
}
