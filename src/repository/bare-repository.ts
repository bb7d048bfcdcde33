import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { git, gitLine } from './git.js';

/**
 * Content in and out of a tree stays byte for byte what it is: no line-end conversion, filter, `$Id$` or encoding, and
 * what is binary is told from the bytes. Attributes of this file win over those that a tree brings along.
 */
const ATTRIBUTES = '* -text !filter -ident !working-tree-encoding !diff\n';

/** Makes an empty bare repository of our own at `gitDir`, which must not exist. */
export async function initBare({ gitDir, objectFormat }: { gitDir: string; objectFormat: string }): Promise<void> {
  await mkdir(gitDir, { recursive: true });
  const options = ['--bare', '--quiet', '--template=', `--object-format=${objectFormat}`, '--initial-branch=base'];
  await git({ cwd: gitDir, args: ['init', ...options, '.'] });
  await mkdir(join(gitDir, 'info'), { recursive: true });
  await writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
}

/** A short-lived repository that can read another's objects; what is written into it goes with it. */
export interface BorrowingRepository {
  readonly gitDir: string;
  readonly borrowFrom: string;
  readonly objectFormat: string;
}

/**
 * Works on the objects of the user's repository from a repository of our own, so that neither its configuration,
 * attributes and hooks take part nor anything is written to it. `workDir` defaults to the system's temporary directory.
 * TG-I19 when an object is missing there.
 */
export async function withBorrowedObjects<T>({
  repoDir,
  workDir = tmpdir(),
  work,
}: {
  repoDir: string;
  workDir?: string | undefined;
  work: (repository: BorrowingRepository) => Promise<T>;
}): Promise<T> {
  const wanted = ['--path-format=absolute', '--git-path', 'objects', '--show-object-format'];
  const located = await gitLine({ cwd: repoDir, args: ['rev-parse', ...wanted] });
  const lineBreak = located.lastIndexOf('\n');
  const borrowFrom = located.slice(0, lineBreak);
  const objectFormat = located.slice(lineBreak + 1);
  return withTemporaryDir({
    parent: workDir,
    work: async (dir) => {
      const gitDir = join(dir, 'repository.git');
      await initBare({ gitDir, objectFormat });
      try {
        return await work({ gitDir, borrowFrom, objectFormat });
      } catch (error) {
        if (error instanceof Error && MISSING_OBJECT.test(error.message)) throw lacksObjects({ repoDir, cause: error });
        throw error;
      }
    },
  });
}

const MISSING_OBJECT = /unable to read|missing (blob|tree|commit) object|bad (tree )?object|could not read/i;

function lacksObjects({ repoDir, cause }: { repoDir: string; cause: Error }) {
  return new InputError({
    code: 'TG-I19',
    what: `The repository in ${repoDir} lacks objects of the commits to compare.`,
    meaning: 'It is a partial clone or damaged, and nothing is fetched into your repository behind your back.',
    fix: 'Clone it again without --filter, or look for damage with: git fsck.',
    cause,
  });
}

/** A directory for the time of `work`. */
export async function withTemporaryDir<T>({
  parent = tmpdir(),
  work,
}: {
  parent?: string;
  work: (dir: string) => Promise<T>;
}): Promise<T> {
  await mkdir(parent, { recursive: true });
  const dir = await mkdtemp(join(parent, 'testgrad-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
