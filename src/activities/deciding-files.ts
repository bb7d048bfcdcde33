import type { Decision } from '../core/decision.js';
import { changeOf } from '../core/origin.js';
import type { Operation, Suite } from '../core/suite.js';
import type { FileChange } from '../report/run-record.js';
import { applyEdit } from '../source/apply-edit.js';
import type { BaseFiles } from './base-files.js';

/**
 * The files of the deciding tests with those tests, and the helpers that updates added to the same files, as their only
 * changes: other tests of the run may contradict each other and are left out.
 */
export async function decidingFiles({
  suite,
  decision,
  base,
}: {
  suite: Suite;
  decision: Decision;
  base: BaseFiles;
}): Promise<FileChange[]> {
  const written = decision.decidingTests.filter(({ origin }) => origin !== 'original');
  const changes = written.flatMap(({ testId }) => changeOf({ suite, testId }) ?? []);
  const paths = [...new Set(changes.map(({ file }) => file))];
  const names = new Set(changes.map(({ file, name }) => `${file} ${name}`));
  const operations = suite.edits
    .flatMap((edit) => edit.operations)
    .filter((operation) => {
      const name = nameOf(operation);
      const isTest = /^test/i.test(name.split('::').at(-1) ?? '');
      return paths.includes(operation.file) && (names.has(`${operation.file} ${name}`) || !isTest);
    });
  const before = new Map<string, string>();
  for (const path of paths) before.set(path, (await base.text(path)) ?? '');
  const result = await applyEdit({ files: before, operations });
  if (result.kind === 'refused') return [];
  return paths.map((path) => {
    const old = before.get(path) ?? '';
    return { path, before: old === '' ? null : old, after: result.files.get(path) ?? null };
  });
}

const nameOf = (operation: Operation): string => {
  if (operation.op !== 'create') return operation.test;
  return operation.className === undefined ? operation.name : `${operation.className}::${operation.name}`;
};
