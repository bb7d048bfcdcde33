import { stat } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { git, gitLine, tryGit } from './git.js';
import { resolveCommit } from './resolve-commit.js';

/** What is to be known about the user's repository before a run. */
export interface RepositoryFacts {
  /** Absolute path of the working tree's root. */
  readonly topLevel: string;
  /** Where the given directory is below the root, `packages/core/`; empty at the root. */
  readonly prefix: string;
  readonly baseCommit: string;
  /** Git tree of the base commit. */
  readonly treeId: string;
  /** Tracked files that differ from the last commit or are staged; they are no part of the base. */
  readonly dirtyFiles: number;
  /** True when the base holds submodules; their content is no part of a snapshot. */
  readonly hasSubmodules: boolean;
}

/**
 * Reads the facts; writes nothing. `base` is a branch, tag or commit, by default HEAD.
 *
 * Errors: TG-I17 for a directory that is no working tree of git, TG-I16 for an unknown base.
 */
export async function inspectRepository({
  repoDir,
  base = 'HEAD',
}: {
  repoDir: string;
  base?: string | undefined;
}): Promise<RepositoryFacts> {
  const topLevel = await topLevelOf({ repoDir });
  const baseCommit = await resolveCommit({ repoDir, name: base });
  const treeId = await gitLine({ cwd: repoDir, args: ['rev-parse', '--verify', `${baseCommit}^{tree}`] });
  return {
    topLevel,
    prefix: await gitLine({ cwd: repoDir, args: ['rev-parse', '--show-prefix'] }),
    baseCommit,
    treeId,
    dirtyFiles: await countDirtyFiles({ topLevel }),
    hasSubmodules: await holdsSubmodules({ topLevel, treeId }),
  };
}

/** Root of the working tree that holds a directory. TG-I17 when there is none. */
export async function topLevelOf({ repoDir }: { repoDir: string }): Promise<string> {
  const status = await stat(repoDir).catch(() => undefined);
  if (status === undefined || !status.isDirectory()) throw noRepository({ repoDir, problem: 'is not a directory' });
  const inside = await tryGit({ cwd: repoDir, args: ['rev-parse', '--is-inside-work-tree'] });
  if (inside.exitCode !== 0) throw noRepository({ repoDir, problem: 'is not in a git repository', git: inside.stderr });
  if (inside.stdout.toString().trim() !== 'true') {
    throw noRepository({ repoDir, problem: 'is a bare repository or a .git directory, without files to test' });
  }
  return gitLine({ cwd: repoDir, args: ['rev-parse', '--show-toplevel'] });
}

async function countDirtyFiles({ topLevel }: { topLevel: string }): Promise<number> {
  const options = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=dirty'];
  const listed = await git({ cwd: topLevel, args: ['status', ...options] });
  return listed.toString('latin1').split('\0').length - 1;
}

async function holdsSubmodules({ topLevel, treeId }: { topLevel: string; treeId: string }): Promise<boolean> {
  const listed = await git({ cwd: topLevel, args: ['ls-tree', '-r', '-z', '--full-tree', treeId] });
  return listed
    .toString('latin1')
    .split('\0')
    .some((entry) => entry.startsWith('160000 '));
}

function noRepository({ repoDir, problem, git: words }: { repoDir: string; problem: string; git?: string }) {
  return new InputError({
    code: 'TG-I17',
    what: `${repoDir} ${problem}.`,
    meaning: 'Candidates are compared on a base commit of a git working tree.',
    fix: 'Give the directory of a git checkout, or make it one: git init && git add -A && git commit -m base.',
    ...(words === undefined ? {} : { cause: new Error(words.trim()) }),
  });
}
