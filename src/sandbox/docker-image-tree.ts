import { answerOf, connectDocker } from './docker-daemon.js';
import { isNotFound } from './docker-failure.js';
import { openSession } from './docker-session.js';
import type { Tree } from './docker-tree.js';
import { parseTree } from './docker-tree.js';
import type { SandboxOwner } from './types.js';

/** Where an image of ours says which tree it holds. */
export const TREE_FILE = '/opt/testgrad/tree';
/** A home for git in a container, whose configuration trusts repositories of any owner. */
const GIT_HOME = '/opt/testgrad/git-home';

/** What git needs to work as root on whatever repository an image has. */
export const GIT_ITEMS = [
  { kind: 'folder', path: '/opt/testgrad', mode: 0o755 },
  { kind: 'folder', path: GIT_HOME, mode: 0o755 },
  {
    kind: 'file',
    path: `${GIT_HOME}/.gitconfig`,
    content: Buffer.from(
      '[safe]\n\tdirectory = *\n[user]\n\tname = testgrad\n\temail = testgrad@localhost\n[gc]\n\tauto = 0\n',
    ),
    mode: 0o644,
  },
] as const;

/** Variables for git: nothing of the image's own settings, no questions. */
export const GIT_ENV = { HOME: GIT_HOME, XDG_CONFIG_HOME: GIT_HOME, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' } as const;

/** Limits of what we do ourselves in a container of an image. */
export const OWN_LIMITS = {
  timeoutMs: 600_000,
  memoryBytes: 4 * 1024 ** 3,
  maxProcesses: 256,
  maxOutputBytes: 128 * 1024 ** 2,
};

/** Trees kept in memory; each is some megabytes in a large repository. */
const KEPT = 16;
const known = new Map<string, Promise<Tree>>();

/**
 * The committed files at a directory of an image, empty when it has no repository there. An image of ours says it
 * itself; else git in the image is asked, once a process.
 *
 * @param imageId the image's id, not a name that may come to mean another one
 */
export function imageTree(input: { imageId: string; mountAt: string; owner: SandboxOwner }): Promise<Tree> {
  const key = `${input.imageId} ${input.mountAt}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const asking = askTree(input);
  known.set(key, asking);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  asking.catch(() => known.delete(key));
  return asking;
}

async function askTree({
  imageId,
  mountAt,
  owner,
}: {
  imageId: string;
  mountAt: string;
  owner: SandboxOwner;
}): Promise<Tree> {
  const session = await openSession({
    image: imageId,
    workingDir: '/',
    limits: OWN_LIMITS,
    lifetimeMs: OWN_LIMITS.timeoutMs,
    owner,
  });
  try {
    const own = await session.get({ path: TREE_FILE, maxBytes: OWN_LIMITS.maxOutputBytes }).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
    const [file] = own;
    if (file !== undefined) return parseTree(Buffer.from(file.content).toString('utf8'));
    await session.put(GIT_ITEMS);
    const { exit, stdout } = await session.run({
      argv: ['git', '-C', mountAt, 'ls-tree', '-r', '-z', '--full-tree', 'HEAD'],
      env: GIT_ENV,
    });
    if (exit.kind === 'broken') throw new Error(exit.reason);
    return exit.kind === 'exited' && exit.code === 0 ? parseTree(stdout) : new Map();
  } finally {
    await session.close();
  }
}

/** Id of an image that is there; rejects with status 404 when it is not. */
export async function imageIdOf(image: string): Promise<string> {
  const docker = await connectDocker();
  return (await answerOf(docker.getImage(image).inspect())).Id;
}
