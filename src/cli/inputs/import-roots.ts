import { posix } from 'node:path';
import { InputError } from '../../errors.js';
import { tryGit } from '../../repository/git.js';

/** A path of the repository as git spells it, or null when it leaves the repository. */
function inRepository({ prefix, path }: { prefix: string; path: string }): string | null {
  if (posix.isAbsolute(path)) return null;
  const joined = posix.normalize(posix.join(prefix, path)).replace(/\/$/, '');
  return joined === '..' || joined.startsWith('../') ? null : joined;
}

async function treeHas({
  topLevel,
  treeId,
  path,
}: {
  topLevel: string;
  treeId: string;
  path: string;
}): Promise<boolean> {
  if (path === '.') return true;
  return (await tryGit({ cwd: topLevel, args: ['cat-file', '-e', `${treeId}:${path}`] })).exitCode === 0;
}

function notThere({ flag, path }: { flag: string; path: string }): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `${flag} ${path}: the base commit has no such path.`,
    meaning: 'Tests run in trees made from the base commit, so files that are not committed are not there.',
    fix: 'Give a path relative to --repo that git knows: git ls-files.',
  });
}

/** Where the base is and which folder of it `--repo` names. */
interface BasePlace {
  readonly topLevel: string;
  readonly treeId: string;
  /** Where --repo is below the root, `packages/core/`; empty at the root. */
  readonly prefix: string;
}

/** Paths that were named with `flag`, relative to the repository's root; throws TG-I14 when the base lacks one. */
export async function basePaths({
  base,
  given,
  flag,
}: {
  base: BasePlace;
  given: readonly string[];
  flag: string;
}): Promise<string[]> {
  const paths: string[] = [];
  for (const path of given) {
    const found = inRepository({ prefix: base.prefix, path });
    if (found === null || !(await treeHas({ ...base, path: found }))) throw notThere({ flag, path });
    paths.push(found);
  }
  return paths;
}
