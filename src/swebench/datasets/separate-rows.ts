import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError } from '../../errors.js';
import { adaptRow } from './adapt-row.js';
import { type Dataset, type DatasetProblem, datasetFile, selectionFile } from './dataset.js';
import type { FileItem } from './file-item.js';
import { gradingFile } from './grading-file.js';
import { openRowWriter } from './row-writer.js';

/** Rows that are left out are told up to this many. */
const MAX_PROBLEMS = 1000;

/**
 * Writes rows to two files, what a selection may see and what grades, and then the description of both.
 *
 * Throws TG-I21 when no row can be used, and what reading the items throws.
 */
export async function separateRows({
  items,
  given,
  split,
  cacheDir,
  key,
}: {
  items: AsyncIterable<FileItem>;
  given: string;
  split: string;
  cacheDir: string;
  key: string;
}): Promise<Dataset> {
  const selections = await openRowWriter({ path: selectionFile({ cacheDir, key }), mode: 0o644 });
  const gradings = await openRowWriter({ path: gradingFile({ cacheDir, key }), mode: 0o600 });
  const ids = new Set<string>();
  const problems: DatasetProblem[] = [];
  let gradable = 0;
  const leaveOut = (problem: DatasetProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  try {
    for await (const item of items) {
      const { place } = item;
      const row =
        item.kind === 'value' ? adaptRow(item.value) : { ...item, kind: 'problem' as const, instanceId: null };
      if (row.kind === 'problem') {
        leaveOut({ place, instanceId: row.instanceId, problem: row.problem });
      } else if (ids.has(row.selection.instanceId)) {
        leaveOut({
          place,
          instanceId: row.selection.instanceId,
          problem: 'the id occurred before; the first counts',
        });
      } else {
        ids.add(row.selection.instanceId);
        if (row.grading.gradable) gradable += 1;
        await selections.write(row.selection);
        await gradings.write(row.grading);
      }
    }
    if (ids.size === 0) throw unusable({ given, problems });
    await gradings.finish();
    await selections.finish();
  } finally {
    await selections.discard();
    await gradings.discard();
  }
  const dataset: Dataset = {
    schema: 'testgrad.dataset/1',
    key,
    name: given,
    revision: null,
    split,
    ids: [...ids],
    gradable,
    problems,
    notices: [],
  };
  await writeWhole({ path: datasetFile({ cacheDir, key }), text: JSON.stringify(dataset) });
  return dataset;
}

async function writeWhole({ path, text }: { path: string; text: string }): Promise<void> {
  const partial = `${path}.${randomUUID()}.part`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(partial, text);
  await rename(partial, path);
}

function unusable({ given, problems }: { given: string; problems: readonly DatasetProblem[] }): InputError {
  const [first] = problems;
  return new InputError({
    code: 'TG-I21',
    what:
      first === undefined
        ? `Dataset ${given} has no rows.`
        : `Dataset ${given} has no usable row; ${first.place}: ${first.problem}.`,
    meaning: 'A row needs instance_id, repo, base_commit and problem_statement. Nothing was started.',
    fix: 'Check that this is a dataset in the format of SWE-bench and not a file of predictions.',
  });
}
