import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ResultError } from '../../errors.js';
import { safeLine, safeText } from '../../report/safe-text.js';
import { shortRunId } from '../../report/short-run-id.js';
import { applyToWorkingTree, type WorkingTreeChange } from '../../repository/apply-to-working-tree.js';
import { topLevelOf } from '../../repository/inspect-repository.js';
import { requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore, runFolder } from '../places.js';
import { findRun } from '../run-index.js';
import { instanceOf, type WinnerDiff, winnerDiff } from '../winner-diff.js';

/** `testgrad apply RUN [--test] [--preview]`: the winner into the working tree, as a whole or not at all. */
export async function apply(invocation: Invocation): Promise<number> {
  const { terminal, values, cwd } = invocation;
  const home = homeFolder(invocation);
  const run = await findRun({ home, reference: invocation.argument ?? 'last' });
  const store = await openStore(home);
  const { decision } = await requireFinished({ store, run });
  const instance = await instanceOf({ store, decision });
  const given = values.text('into');
  const tree = await topLevelOf({ repoDir: given === undefined ? instance.repository.path : resolve(cwd, given) });
  const winner = await winnerDiff({ store, home, decision, instance, withTest: values.on('test') });
  const preview = values.on('preview');
  const keptAs = join(runFolder({ home, runId: run.runId }), 'apply.diff');
  const change = await applyToWorkingTree({ repoDir: tree, patch: winner.diff, preview }).catch(
    async (error: unknown) => {
      throw await withKeptDiff({ error, winner, tree, file: keptAs });
    },
  );
  if (values.on('json')) {
    terminal.json({
      schema: 'testgrad.apply/1',
      run: run.runId,
      selected: winner.agent,
      tree,
      files: winner.files,
      testFiles: winner.testFiles,
      replaced: winner.replaced,
      fits: change.kind === 'fits' ? 'yes' : 'already',
      applied: change.kind === 'fits' && !preview,
      notes: change.kind === 'fits' ? change.notes : [],
      ...(preview ? { diff: diffText(change) } : {}),
    });
    return 0;
  }
  for (const path of winner.replaced) {
    terminal.note(`${safeLine(winner.agent)}'s own change to ${path} is left out: the deciding test is in that file.`);
  }
  if (change.kind === 'fits') for (const note of change.notes) terminal.note(safeLine(note));
  if (preview) terminal.out(safeText(diffText(change)));
  terminal.note(summary({ winner, tree, change, preview, runId: run.runId }));
  return 0;
}

/** For people; what is not UTF-8 is shown as replacement characters and applied as it is. */
const diffText = (change: WorkingTreeChange): string =>
  change.kind === 'fits' ? Buffer.from(change.diff).toString('utf8') : '';

/** The refusal of a tree that has moved on, with the diff in a file for those who want to merge it. */
async function withKeptDiff({
  error,
  winner,
  tree,
  file,
}: {
  error: unknown;
  winner: WinnerDiff;
  tree: string;
  file: string;
}): Promise<unknown> {
  if (!(error instanceof ResultError)) return error;
  await writeFile(file, winner.diff);
  return new ResultError({
    code: error.code,
    what: error.what,
    meaning: error.meaning,
    fix: `${error.fix} Or let git merge: git -C ${tree} apply -3 ${file}`,
    cause: error,
  });
}

function summary({
  winner,
  tree,
  change,
  preview,
  runId,
}: {
  winner: WinnerDiff;
  tree: string;
  change: WorkingTreeChange;
  preview: boolean;
  runId: string;
}): string {
  const name = safeLine(winner.agent);
  const files = `${winner.files.length} ${winner.files.length === 1 ? 'file' : 'files'}`;
  const test = winner.testFiles.length > 0;
  if (change.kind === 'already') return `${name} is in ${tree} already; nothing was changed.`;
  if (!preview)
    return `Applied ${name} to ${tree} (${files}${test ? ', with the deciding test' : ''}). Nothing is committed.`;
  return `It applies to ${tree} (${files}). To do it: testgrad apply ${shortRunId(runId)}${test ? ' --test' : ''}`;
}
