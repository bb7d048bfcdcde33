import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ResultError } from '../../errors.js';
import { safeLine, safeText } from '../../report/safe-text.js';
import { shortRunId } from '../../report/short-run-id.js';
import { tryGit } from '../../repository/git.js';
import { topLevelOf } from '../../repository/inspect-repository.js';
import { requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore, runFolder } from '../places.js';
import { findRun } from '../run-index.js';
import { instanceOf, type WinnerDiff, winnerDiff } from '../winner-diff.js';

async function gitApply({ tree, diff, options }: { tree: string; diff: Uint8Array; options: readonly string[] }) {
  const args = ['apply', '--whitespace=nowarn', ...options, '-'];
  return tryGit({ cwd: tree, args, input: diff });
}

/** `no` with git's words when the diff does not fit the tree as it is now. */
async function fits({
  tree,
  winner,
}: {
  tree: string;
  winner: WinnerDiff;
}): Promise<{ readonly kind: 'yes' | 'already' } | { readonly kind: 'no'; readonly words: string }> {
  const check = await gitApply({ tree, diff: winner.diff, options: ['--check'] });
  if (check.exitCode === 0) return { kind: 'yes' };
  const reverse = await gitApply({ tree, diff: winner.diff, options: ['--check', '--reverse'] });
  return reverse.exitCode === 0 ? { kind: 'already' } : { kind: 'no', words: safeLine(check.stderr).slice(0, 500) };
}

async function refuse({
  home,
  runId,
  tree,
  winner,
  words,
}: {
  home: string;
  runId: string;
  tree: string;
  winner: WinnerDiff;
  words: string;
}): Promise<ResultError> {
  const file = join(runFolder({ home, runId }), 'apply.diff');
  await writeFile(file, winner.diff);
  return new ResultError({
    code: 'TG-R04',
    what: `${safeLine(winner.agent)} does not apply to ${tree} as it is now: ${words}`,
    meaning: 'The tree has other content than the base of the run. It was not changed.',
    fix: `Go back to the base commit, or let git merge: git -C ${tree} apply -3 ${file}`,
  });
}

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
  const fit = await fits({ tree, winner });
  const preview = values.on('preview');
  if (fit.kind === 'no' && !preview) throw await refuse({ home, runId: run.runId, tree, winner, words: fit.words });
  if (fit.kind === 'yes' && !preview) {
    const applied = await gitApply({ tree, diff: winner.diff, options: [] });
    if (applied.exitCode !== 0) {
      throw await refuse({ home, runId: run.runId, tree, winner, words: safeLine(applied.stderr).slice(0, 500) });
    }
  }
  if (values.on('json')) {
    terminal.json({
      schema: 'testgrad.apply/1',
      run: run.runId,
      selected: winner.agent,
      tree,
      files: winner.files,
      testFiles: winner.testFiles,
      replaced: winner.replaced,
      fits: fit.kind,
      applied: fit.kind === 'yes' && !preview,
      ...(preview ? { diff: Buffer.from(winner.diff).toString('utf8') } : {}),
    });
    return 0;
  }
  for (const path of winner.replaced) {
    terminal.note(`${safeLine(winner.agent)}'s own change to ${path} is left out: the deciding test is in that file.`);
  }
  if (preview) terminal.out(safeText(Buffer.from(winner.diff).toString('utf8')));
  terminal.note(summary({ winner, tree, fit, preview, runId: run.runId }));
  return 0;
}

function summary({
  winner,
  tree,
  fit,
  preview,
  runId,
}: {
  winner: WinnerDiff;
  tree: string;
  fit: Awaited<ReturnType<typeof fits>>;
  preview: boolean;
  runId: string;
}): string {
  const name = safeLine(winner.agent);
  const files = `${winner.files.length} ${winner.files.length === 1 ? 'file' : 'files'}`;
  if (fit.kind === 'already') return `${name} is in ${tree} already; nothing was changed.`;
  if (fit.kind === 'no') return `It does not apply to ${tree} as it is now: ${fit.words}`;
  if (preview)
    return `It applies to ${tree} (${files}). To do it: testgrad apply ${shortRunId(runId)}${winner.testFiles.length > 0 ? ' --test' : ''}`;
  return `Applied ${name} to ${tree} (${files}${winner.testFiles.length > 0 ? ', with the deciding test' : ''}). Nothing is committed.`;
}
