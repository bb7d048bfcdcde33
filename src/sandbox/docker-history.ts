import { GIT_ENV, GIT_ITEMS } from './docker-image-tree.js';
import type { DockerSession } from './docker-session.js';
import { requireSuccess } from './docker-snapshot.js';

const REFS_FILE = '/opt/testgrad/removed-refs';

/** Runs git on an image's repository and gives what it prints; rejects when it fails. */
type Git = (...args: readonly string[]) => Promise<string>;

/** Git in an open container, on the repository at `mountAt`. */
export async function gitIn({ session, mountAt }: { session: DockerSession; mountAt: string }): Promise<Git> {
  await session.put(GIT_ITEMS);
  return async (...args) => requireSuccess(await session.run({ argv: ['git', '-C', mountAt, ...args], env: GIT_ENV }));
}

/** What a repository shows besides HEAD and what led to it. */
export interface OtherHistory {
  readonly remotes: readonly string[];
  /** Branches, tags and others that lead beyond HEAD, and remote ones wherever they lead. */
  readonly refs: readonly string[];
  /** Commits that are neither HEAD nor its ancestors, whether something names them or not. */
  readonly commits: number;
}

/** Looks for history other than HEAD's: later commits would show how the issue was resolved. */
export async function otherHistory({ git }: { git: Git }): Promise<OtherHistory> {
  const head = (await git('rev-parse', '--symbolic-full-name', 'HEAD')).trim();
  const all = lines(await git('for-each-ref', '--format=%(refname)'));
  const earlier = new Set(lines(await git('for-each-ref', '--merged=HEAD', '--format=%(refname)', 'refs/tags')));
  const types = await git('cat-file', '--batch-all-objects', '--batch-check=%(objecttype)');
  const commits = lines(types).filter((type) => type === 'commit').length;
  const own = Number(await git('rev-list', '--count', 'HEAD'));
  return {
    remotes: lines(await git('remote')),
    refs: all.filter((ref) => ref !== head && !earlier.has(ref)),
    commits: commits - own,
  };
}

/** Takes all history away but HEAD's own. Rejects when something of it stays. */
export async function removeOtherHistory({
  session,
  git,
  mountAt,
  found,
}: {
  session: DockerSession;
  git: Git;
  mountAt: string;
  found: OtherHistory;
}): Promise<void> {
  for (const remote of found.remotes) await git('remote', 'remove', remote);
  // Removing a remote has taken its branches along.
  const left = (await otherHistory({ git })).refs;
  const content = Buffer.from(left.map((ref) => `delete ${ref}\n`).join(''));
  await session.put([{ kind: 'file', path: REFS_FILE, content, mode: 0o644 }]);
  const script = `git -C "$0" update-ref --no-deref --stdin < ${REFS_FILE}`;
  requireSuccess(await session.run({ argv: ['/bin/sh', '-c', script, mountAt], env: GIT_ENV }));
  const places = ['FETCH_HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'logs'].map(
    (name) => `${mountAt}/.git/${name}`,
  );
  requireSuccess(await session.run({ argv: ['rm', '-rf', '--', ...places] }));
  await git('repack', '-a', '-d', '-q');
  await git('prune', '--expire=now');
  const after = await otherHistory({ git });
  if (after.remotes.length + after.refs.length + after.commits > 0) {
    throw new Error(`History other than that of HEAD stays in the image: ${JSON.stringify(after).slice(0, 500)}`);
  }
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
