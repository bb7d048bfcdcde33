import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { ADAPTER_VERSION, type Dataset, datasetFile, selectionFile } from './dataset.js';
import { type DatasetSource, datasetSource } from './dataset-source.js';
import type { FileItem } from './file-item.js';
import { gradingFile } from './grading-file.js';
import { type Hub, hubFromEnvironment } from './hub-client.js';
import { fetchSplit } from './hub-files.js';
import { readItems } from './read-items.js';
import { readTaskRepo, taskRepoFiles } from './read-task-repo.js';
import { separateRows } from './separate-rows.js';
import { splitFiles } from './split-files.js';

/**
 * Brings a dataset into the cache in two parts that are never read together: what a selection may see, and what grades.
 * Memory stays at one row (one row group for parquet). What is there already is not read again.
 *
 * `given` is a path or a name as {@link datasetSource} takes it. Throws TG-I03, TG-I06 and TG-I15 as reading and fetching
 * do, TG-I21 when no row can be used.
 */
export async function importDataset({
  given,
  split = 'test',
  cacheDir,
  cwd,
  env,
}: {
  given: string;
  split?: string;
  /** Kept between runs; may be removed at any time. */
  cacheDir: string;
  cwd: string;
  /** `HF_ENDPOINT` and `HF_TOKEN` are read from it. */
  env: NodeJS.ProcessEnv;
}): Promise<Dataset> {
  const source = await datasetSource({ given, cwd });
  const found = await filesOf({ source, given, split, cacheDir, hub: hubFromEnvironment(env) });
  const { files, revision, notices } = found;
  const key = await contentKeyOf({ files, split });
  const known = await importedBefore({ cacheDir, key });
  const dataset = known ?? (await separateRows({ items: itemsOf({ found, split }), given, split, cacheDir, key }));
  return { ...dataset, name: given, revision, notices };
}

/** The files that a dataset is made of. */
interface FoundFiles {
  readonly files: readonly string[];
  readonly revision: string | null;
  readonly notices: readonly string[];
  /** Folder of a task repository; null where the files hold rows. */
  readonly taskRepo: string | null;
}

async function* itemsOf({ found, split }: { found: FoundFiles; split: string }): AsyncGenerator<FileItem> {
  if (found.taskRepo !== null) yield* readTaskRepo({ folder: found.taskRepo, split });
  else for (const path of found.files) yield* readItems({ path });
}

async function filesOf({
  source,
  given,
  split,
  cacheDir,
  hub,
}: {
  source: DatasetSource;
  given: string;
  split: string;
  cacheDir: string;
  hub: Hub;
}): Promise<FoundFiles> {
  if (source.kind === 'hub') {
    const fetched = await fetchSplit({ hub, id: source.id, revision: source.revision, split, cacheDir });
    return { ...LOCAL, files: fetched.files, revision: fetched.commit, notices: fetched.notices };
  }
  if (!source.isFolder) return { ...LOCAL, files: [source.path] };
  const tasks = await taskRepoFiles(source.path);
  if (tasks !== null) return { ...LOCAL, files: tasks, taskRepo: source.path };
  const paths = await readdir(source.path, { recursive: true });
  const found = splitFiles({ paths: paths.filter((path) => !path.startsWith('.')), split });
  if (found.kind === 'files') {
    return { ...LOCAL, files: found.files.map((path) => join(source.path, path)) };
  }
  throw new InputError({
    code: 'TG-I15',
    what: `--dataset ${given}: the folder has no file of split ${split}.`,
    meaning: `It has: ${found.splits.join(', ') || 'no JSON, JSONL or parquet file'}. Nothing was started.`,
    fix: 'Name one file of it, or another --split.',
  });
}

const LOCAL = { revision: null, notices: [], taskRepo: null };

/** The files' content tells a dataset: the same rows under another name or revision are not imported twice. */
async function contentKeyOf({ files, split }: { files: readonly string[]; split: string }): Promise<string> {
  const whole = createHash('sha256').update(JSON.stringify({ adapter: ADAPTER_VERSION, split }));
  for (const file of files) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
    whole.update(hash.digest());
  }
  return whole.digest('hex');
}

async function importedBefore({ cacheDir, key }: { cacheDir: string; key: string }): Promise<Dataset | null> {
  try {
    const dataset = JSON.parse(await readFile(datasetFile({ cacheDir, key }), 'utf8')) as Dataset;
    await Promise.all([stat(selectionFile({ cacheDir, key })), stat(gradingFile({ cacheDir, key }))]);
    return dataset;
  } catch {
    return null;
  }
}
