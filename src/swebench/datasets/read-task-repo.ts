import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type FileItem, jsonText } from './file-item.js';

/** Columns that a task keeps as files of their own. */
const FILES: Readonly<Record<string, string>> = {
  patch: 'gold.patch',
  test_patch: 'test.patch',
  eval_script: 'eval.sh',
  problem_statement: 'problem_statement.md',
  hints_text: 'hints.md',
};

/**
 * Files of the tasks in a task repository of harness version 5 (`tasks/ID/task.yaml` and what stands beside it), sorted;
 * null for a folder that is none.
 */
export async function taskRepoFiles(folder: string): Promise<string[] | null> {
  const tasks = join(folder, 'tasks');
  const names = await readdir(tasks).catch(() => null);
  if (names === null) return null;
  const files: string[] = [];
  for (const name of names.sort()) {
    for (const file of ['task.yaml', 'tests.json', ...Object.values(FILES)]) {
      const path = join(tasks, name, file);
      if ((await stat(path).catch(() => null))?.isFile()) files.push(path);
    }
  }
  return files.some((path) => path.endsWith('/task.yaml')) ? files : null;
}

/**
 * The tasks of a repository's split as rows of a dataset, one after the other; bytes of patches stay as they are. A task
 * that cannot be read is told at its place.
 */
export async function* readTaskRepo({ folder, split }: { folder: string; split: string }): AsyncGenerator<FileItem> {
  const tasks = join(folder, 'tasks');
  for (const name of (await readdir(tasks)).sort()) {
    const path = join(tasks, name);
    if ((await stat(join(path, 'task.yaml')).catch(() => null)) === null) continue;
    try {
      const row = await taskRow(path);
      if (row.split === undefined || row.split === split) yield { kind: 'value', value: row, key: null, place: name };
    } catch (error) {
      yield { kind: 'malformed', place: name, problem: (error as Error).message.slice(0, 200) };
    }
  }
}

async function taskRow(path: string): Promise<Record<string, unknown>> {
  const text = async (file: string): Promise<string> => jsonText(await readFile(join(path, file)));
  const row: Record<string, unknown> = { ...(parse(await text('task.yaml')) as object) };
  for (const [column, file] of Object.entries(FILES)) {
    const found = await text(file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? '' : Promise.reject(error),
    );
    row[column] = found;
  }
  return { ...row, ...(JSON.parse(await text('tests.json')) as object) };
}
