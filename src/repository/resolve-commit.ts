import { InputError } from '../errors.js';
import { closeNames } from './close-names.js';
import { git, tryGit } from './git.js';

/** Commit id of a branch, tag, commit or HEAD. TG-I16 with the closest names when there is none. */
export async function resolveCommit({ repoDir, name }: { repoDir: string; name: string }): Promise<string> {
  // No ref starts with a dash, and an option in its place must not reach git.
  if (name !== '' && !name.startsWith('-')) {
    const found = await tryGit({ cwd: repoDir, args: ['rev-parse', '--verify', '--quiet', `${name}^{commit}`] });
    if (found.exitCode === 0) return found.stdout.toString().trim();
  }
  if (name === 'HEAD') {
    throw new InputError({
      code: 'TG-I16',
      what: `The repository in ${repoDir} has no commit yet.`,
      meaning: 'Candidates are changes to a base commit.',
      fix: 'Commit the base first: git add -A && git commit -m base.',
    });
  }
  throw await unknownName({ repoDir, name });
}

/**
 * The newest commit that all `refs` have in common (branches, tags or commits): the base that branches started from.
 * TG-I16 when one is unknown or they have nothing in common.
 */
export async function mergeBase({ repoDir, refs }: { repoDir: string; refs: readonly string[] }): Promise<string> {
  const commits: string[] = [];
  for (const name of refs) commits.push(await resolveCommit({ repoDir, name }));
  const found = await tryGit({ cwd: repoDir, args: ['merge-base', '--octopus', ...commits] });
  const first = found.stdout.toString().split('\n')[0];
  if (found.exitCode === 0 && first) return first;
  throw new InputError({
    code: 'TG-I16',
    what: `${refs.join(', ')} have no commit in common.`,
    meaning: 'Candidates that are branches need a base that all of them started from.',
    fix: 'Name the base with --base; in a shallow clone, first run: git fetch --unshallow.',
  });
}

async function unknownName({ repoDir, name }: { repoDir: string; name: string }): Promise<InputError> {
  const patterns = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const listed = await git({ cwd: repoDir, args: ['for-each-ref', '--format=%(refname:short)', ...patterns] });
  const close = closeNames({ wanted: name, names: listed.toString().split('\n').filter(Boolean) });
  return new InputError({
    code: 'TG-I16',
    what: `${name} is no branch, tag or commit of the repository in ${repoDir}.`,
    meaning: close.length > 0 ? `The closest names are ${close.join(', ')}.` : 'No name comes close to it.',
    fix: 'List the names with: git branch --all. A commit that exists only on a server must be fetched first.',
  });
}
