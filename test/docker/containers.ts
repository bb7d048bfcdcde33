import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { GIT_ENV, GIT_ITEMS } from '../../src/sandbox/docker-image-tree.js';
import { LABELS } from '../../src/sandbox/docker-labels.js';
import { openSession } from '../../src/sandbox/docker-session.js';
import { ownerOfThisProcess } from '../../src/sandbox/owner.js';
import { runInSandbox, type SandboxRequest, type SandboxResult } from '../../src/sandbox/sandbox.js';

/** Debian with Python and git. */
export const BASE_IMAGE = process.env.TESTGRAD_TEST_IMAGE ?? '';

export const LIMITS = { timeoutMs: 60_000, memoryBytes: 512 * 1024 ** 2, maxProcesses: 64, maxOutputBytes: 100_000 };

/** A state folder. */
export const HOME = tmpdir();

/** This process as an owner, in a run of its own. */
export const ownerOf = (runId: string) => ownerOfThisProcess({ runId, activityId: '1', home: HOME });

/**
 * Makes an image with a repository of one commit at /testbed, as official images have one, and a compiled file beside it
 * that git does not know. `after` runs in a shell at the end.
 */
export async function repositoryImage({
  name,
  files,
  after = 'true',
}: {
  name: string;
  files: Readonly<Record<string, string>>;
  after?: string;
}): Promise<string> {
  const owner = ownerOf('images');
  const session = await openSession({ image: BASE_IMAGE, workingDir: '/', limits: LIMITS, lifetimeMs: 60_000, owner });
  try {
    await session.put([
      ...GIT_ITEMS,
      ...Object.entries(files).map(
        ([path, text]) =>
          ({ kind: 'file', path: `/testbed/${path}`, content: Buffer.from(text), mode: 0o644 }) as const,
      ),
    ]);
    const script = `cd /testbed && git init -q -b main && git add . && git commit -q -m base && echo built > built.so && ${after}`;
    const { exit, stdout } = await session.run({ argv: ['sh', '-ec', script], env: GIT_ENV, merged: true });
    if (exit.kind !== 'exited' || exit.code !== 0) throw new Error(stdout);
    const repository = `testgrad-test/${name}`;
    const labels = { [LABELS.owner]: '', [LABELS.run]: '', [LABELS.activity]: '', [LABELS.deadline]: '' };
    await session.commit({ repository, tag: 'latest', labels });
    return `${repository}:latest`;
  } finally {
    await session.close();
  }
}

/** A candidate's tree on this host and a scratch directory, and how a program is run on them. */
export interface Ground {
  readonly treeDir: string;
  readonly scratchDir: string;
  /** `by` is what runs it; default {@link runInSandbox}. */
  readonly run: (
    change: Partial<SandboxRequest> & Pick<SandboxRequest, 'argv'>,
    by?: typeof runInSandbox,
  ) => Promise<SandboxResult>;
  readonly remove: () => Promise<void>;
}

export async function makeGround({
  image,
  files,
  runId,
}: {
  image: string;
  files: Readonly<Record<string, string>>;
  runId: string;
}): Promise<Ground> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-docker-'));
  const [treeDir, scratchDir] = [join(dir, 'tree'), join(dir, 'scratch')];
  for (const path of [treeDir, scratchDir]) await mkdir(path);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(treeDir, path)), { recursive: true });
    await writeFile(join(treeDir, path), text);
  }
  return {
    treeDir,
    scratchDir,
    run: (change, by = runInSandbox) =>
      by({
        kind: 'docker',
        docker: { image },
        treeDir,
        mountAt: '/testbed',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/home/testgrad', TMPDIR: '/tmp' },
        readOnlyPaths: [],
        scratchDir,
        limits: LIMITS,
        owner: ownerOf(runId),
        ...change,
      }),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Names of the containers of a run, whatever their state. */
export async function containersOf(runId: string): Promise<readonly string[]> {
  const docker = await connectDocker();
  const found = await docker.listContainers({ all: true, filters: { label: [`${LABELS.run}=${runId}`] } });
  return found.flatMap(({ Names: names }) => names);
}

/** Host processes whose command line holds a text. */
export function processesWith(text: string): string {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -eo'))
    .join('\n');
}
