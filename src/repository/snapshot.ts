import { withBorrowedObjects } from './bare-repository.js';
import { git, gitLine } from './git.js';

/** Fixed, so that the commit's id depends on its tree alone. */
const COMMIT = {
  GIT_AUTHOR_NAME: 'testgrad',
  GIT_AUTHOR_EMAIL: 'testgrad@localhost',
  GIT_AUTHOR_DATE: '@0 +0000',
  GIT_COMMITTER_NAME: 'testgrad',
  GIT_COMMITTER_EMAIL: 'testgrad@localhost',
  GIT_COMMITTER_DATE: '@0 +0000',
};

/** The one ref of a snapshot. */
export const SNAPSHOT_REF = 'refs/heads/base';

/**
 * One tree of the user's repository as a self-contained git bundle: a single commit without parents. No history, branch,
 * tag or remote comes along, so that nothing in it can tell how the issue was solved later.
 *
 * The same tree gives the same bytes, however the repository has packed it. TG-I19 when objects are missing.
 */
export async function snapshotBase({
  repoDir,
  treeId,
  workDir,
}: {
  repoDir: string;
  treeId: string;
  /** For the scratch repository; the system's temporary directory by default. */
  workDir?: string | undefined;
}): Promise<Uint8Array> {
  return withBorrowedObjects({
    repoDir,
    workDir,
    work: async ({ gitDir, borrowFrom, objectFormat }) => {
      const commit = await gitLine({ gitDir, borrowFrom, env: COMMIT, args: ['commit-tree', treeId, '-m', 'base'] });
      const head = objectFormat === 'sha1' ? '# v2 git bundle\n' : `# v3 git bundle\n@object-format=${objectFormat}\n`;
      // `git bundle create` reuses the user's deltas, and its bytes would change whenever that repository is repacked.
      const whole = ['--no-reuse-delta', '--no-reuse-object', '--window=0', '--compression=1', '--threads=1'];
      const args = ['pack-objects', '--revs', '--stdout', '-q', ...whole];
      const pack = await git({ gitDir, borrowFrom, args, input: `${commit}\n` });
      return Buffer.concat([Buffer.from(`${head}${commit} ${SNAPSHOT_REF}\n\n`), pack]);
    },
  });
}
