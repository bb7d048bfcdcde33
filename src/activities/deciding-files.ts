import type { Decision } from '../core/decision.js';
import { covers, isTestName, targetOf } from '../core/operation.js';
import { changeOf } from '../core/origin.js';
import { folderReached, isSharedFile } from '../core/reach.js';
import { fileOf } from '../core/row.js';
import type { Operation, Suite } from '../core/suite.js';
import type { FileChange } from '../report/run-record.js';
import { applyEdit } from '../source/apply-edit.js';
import type { BaseFiles } from './base-files.js';

/**
 * The files of the deciding tests with those tests, and what updates changed around them, as their only changes: helpers
 * of the same files and of shared files at or above them. Other tests of the run may contradict each other and are left
 * out.
 */
export async function decidingFiles({
  suite,
  decision,
  base,
}: {
  suite: Suite;
  decision: Decision;
  base: Pick<BaseFiles, 'text'>;
}): Promise<FileChange[]> {
  let operations = operationsFor({ suite, decision });
  const paths = [...new Set(operations.map(({ operation }) => operation.file))];
  const before = new Map<string, string>();
  for (const path of paths) before.set(path, (await base.text(path)) ?? '');
  let result = await applyEdit({ files: before, operations: operations.map(({ operation }) => operation) });
  while (result.kind === 'refused') {
    const { index } = result;
    if (operations[index]?.isTest !== false) return [];
    // A helper of a class that was left out is not needed either.
    operations = operations.filter((_, at) => at !== index);
    result = await applyEdit({ files: before, operations: operations.map(({ operation }) => operation) });
  }
  const { files } = result;
  const changed = paths.filter((path) => operations.some(({ operation }) => operation.file === path));
  return changed.map((path) => {
    const old = before.get(path) ?? '';
    return { path, before: old === '' ? null : old, after: files.get(path) ?? null };
  });
}

/** The operations that deciding tests came from, and those on what they may use, in the order of the updates. */
function operationsFor({
  suite,
  decision,
}: {
  suite: Suite;
  decision: Decision;
}): { readonly operation: Operation; readonly isTest: boolean }[] {
  const written = decision.decidingTests.filter(({ origin }) => origin !== 'original');
  const changes = written.flatMap(({ testId }) => changeOf({ suite, testId }) ?? []);
  const files = [...new Set([...written.map(({ testId }) => fileOf(testId)), ...changes.map(({ file }) => file)])];
  const isUsed = (file: string): boolean =>
    files.includes(file) ||
    (isSharedFile({ suite, file }) && files.some((each) => each.startsWith(folderReached({ suite, file }))));
  return suite.edits
    .flatMap((edit) => edit.operations)
    .flatMap((operation) => {
      const { file } = operation;
      const target = targetOf(operation);
      const isTest = changes.some(
        (change) => change.file === file && covers({ definition: target, name: change.name }),
      );
      return isTest || (!isTestName(target) && isUsed(file)) ? [{ operation, isTest }] : [];
    });
}
