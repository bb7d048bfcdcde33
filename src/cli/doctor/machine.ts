import { access, constants, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { sizeText } from '../../report/size-text.js';
import { DEFAULT_TEST_COMMAND } from '../inputs/build-environment.js';
import { choosePython } from '../inputs/choose-python.js';
import type { Invocation } from '../invocation.js';
import { openStore } from '../places.js';
import { type Found, ok, problem, type Question, warn } from './check.js';

const GB = 1024 ** 3;
/** With less a selection may stop for want of space. */
const SCARCE_BYTES = 2 * GB;
/** One official image of SWE-bench takes some gigabytes. */
const IMAGE_BYTES = 20 * GB;

/** What the machine itself has: Node, git, Python, bubblewrap, Docker, the state folder and the store. */
export function machineQuestions({ invocation, home }: { invocation: Invocation; home: string }): Question[] {
  return [
    { name: 'Node', look: async () => ok(process.versions.node) },
    { name: 'git', look: git },
    { name: 'Python', look: () => python(invocation) },
    { name: 'bubblewrap', look: bubblewrap },
    { name: 'Docker', look: docker },
    { name: 'state', look: () => stateFolder(home) },
    ...(invocation.env.TESTGRAD_ARTIFACTS?.trim()
      ? [{ name: 'store', look: () => store({ home, env: invocation.env }) }]
      : []),
  ];
}

async function git(): Promise<Found> {
  const { stdout, failed } = await execa('git', ['--version'], { reject: false, stdin: 'ignore' });
  if (!failed) return ok(stdout.replace(/^git version /, ''));
  return { state: 'fail', says: 'git was not found or does not run', fix: 'Install git.', code: 'TG-E08' };
}

async function python({ values, cwd, env }: Invocation): Promise<Found> {
  const repoDir = resolve(cwd, values.text('repo') ?? '.');
  const { describePython } = await import('../../runners/python-environment.js');
  const chosen = await choosePython({ given: values.text('python'), repoDir, cwd, env });
  const { version, hasPytest } = await describePython({ python: chosen, cwd: repoDir });
  const { parseTestCommand } = await import('../../runners/test-command.js');
  const command = values.text('testCommand') ?? DEFAULT_TEST_COMMAND;
  const { runner } = parseTestCommand({ command, python: chosen });
  if (runner !== 'pytest') return ok(`${version} for ${runner}: ${chosen}`);
  if (hasPytest) return ok(`${version} with pytest: ${chosen}`);
  return warn({
    says: `${version} without pytest: ${chosen}`,
    fix: `${chosen} -m pip install pytest, another --python, or --test-cmd "python -m unittest".`,
    code: 'TG-S03',
  });
}

async function bubblewrap(): Promise<Found> {
  const { detectBubblewrap } = await import('../../sandbox/detect.js');
  const { available, version, reason } = await detectBubblewrap();
  if (available) return ok(`${version ?? ''} makes sandboxes`.trim());
  return {
    state: 'fail',
    says: reason,
    fix: 'Debian, Ubuntu: apt install bubblewrap. Without it only --sandbox none runs candidates, unprotected.',
    code: 'TG-E07',
  };
}

/** Selections in a checkout need no Docker, so that nothing about it is a failure. */
async function docker(): Promise<Found> {
  const { requireDocker } = await import('../../sandbox/docker-daemon.js');
  try {
    const { version, architecture, freeBytes } = await requireDocker();
    const free = freeBytes === null ? 'disk unknown' : `${sizeText(freeBytes)} free`;
    const says = `${version}, ${architecture}, ${free}`;
    if (architecture !== 'amd64') {
      return warn({
        says,
        fix: 'Official SWE-bench images are for amd64: use such a daemon (DOCKER_HOST).',
        code: 'TG-E04',
      });
    }
    if (freeBytes !== null && freeBytes < IMAGE_BYTES) {
      return warn({ says, fix: 'Images take gigabytes each; free some space: docker system df.', code: 'TG-E03' });
    }
    return ok(says);
  } catch (error) {
    const found = problem({ error, state: 'warn' });
    return { ...found, fix: `Only images need it. ${found.fix}` };
  }
}

/** Looks without making the folder: only a run does that. */
async function stateFolder(home: string): Promise<Found> {
  const existing = await nearestExisting(home);
  const made = existing === home;
  const isFolder = (await stat(existing)).isDirectory();
  const writable = isFolder && (made ? await canWrite(home) : await mayWrite(existing));
  if (!writable) {
    return {
      state: 'fail',
      says: `${home} cannot be written`,
      fix: 'Name another one: --home, TESTGRAD_HOME.',
      code: 'TG-I14',
    };
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const says = `${home}${made ? '' : ' (made by the first run)'}, ${sizeText(free)} free`;
  if (free >= SCARCE_BYTES) return ok(says);
  return warn({ says, fix: 'See what can go: testgrad clean. Or another disk: TESTGRAD_HOME.', code: 'TG-E03' });
}

/** The path itself, or what of the way to it is there. */
async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found !== null || dirname(path) === path ? path : nearestExisting(dirname(path));
}

const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

/** Permissions alone do not tell: a disk may be mounted read-only or be full. */
async function canWrite(home: string): Promise<boolean> {
  const dir = join(home, 'work');
  const file = join(dir, `doctor-${process.pid}`);
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(file, 'x');
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function store({ home, env }: { home: string; env: NodeJS.ProcessEnv }): Promise<Found> {
  const opened = await openStore(home, env);
  await opened.has({ digest: '0'.repeat(64) });
  return ok(env.TESTGRAD_ARTIFACTS ?? '');
}
