import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { GIT_ENV, GIT_ITEMS } from '../../src/sandbox/docker-image-tree.js';
import { LABELS } from '../../src/sandbox/docker-labels.js';
import { openSession } from '../../src/sandbox/docker-session.js';
import type { TarItem } from '../../src/sandbox/docker-tar.js';
import { decodeLabel, homeDigest, ownerOfThisProcess } from '../../src/sandbox/owner.js';

const LIMITS = { timeoutMs: 120_000, memoryBytes: 512 * 1024 ** 2, maxProcesses: 64, maxOutputBytes: 100_000 };
const REPOSITORY = 'testgrad-test/chaos';
/** Those of the container it is made of would say that it is ours. */
const NO_LABELS = { [LABELS.owner]: '', [LABELS.run]: '', [LABELS.activity]: '', [LABELS.deadline]: '' };

/**
 * Makes an image as official ones are, of one with Python and git: the repository as one commit at /testbed, and pytest
 * from an environment of this machine. Gives its name.
 */
export function projectImage({
  base,
  repoDir,
  python,
}: {
  base: string;
  repoDir: string;
  /** Interpreter of that environment. */
  python: string;
}): Promise<string> {
  const where = 'import pytest, os; print(os.path.dirname(os.path.dirname(pytest.__file__)))';
  const packages = execFileSync(python, ['-c', where], { encoding: 'utf8' }).trim();
  const files = [
    ...itemsOf({ dir: repoDir, at: '/testbed', isLeftOut: (path) => path.startsWith('.git') }),
    ...itemsOf({
      dir: packages,
      at: '/usr/local/lib/python3/dist-packages',
      isLeftOut: (path) => INSTALLERS.test(path),
    }),
  ];
  const script = [
    'ln -s /usr/local/lib/python3/dist-packages/* $(python3 -c "import site; print(site.getsitepackages()[0])")/',
    'cd /testbed && git init -q -b main && git add . && git commit -q -m base',
  ].join(' && ');
  return commitOf({ image: base, tag: 'project', files: [...GIT_ITEMS, ...files], script, labels: NO_LABELS });
}

const INSTALLERS = /^(pip|setuptools|pkg_resources|_distutils)|__pycache__/;

/** The same image under another id, so that what the product makes of it is made anew. Gives its name. */
export const imageLike = ({ image, tag }: { image: string; tag: string }): Promise<string> =>
  commitOf({ image, tag, files: [], script: 'true', labels: { ...NO_LABELS, 'testgrad-test.run': tag } });

async function commitOf(plan: {
  readonly image: string;
  readonly tag: string;
  readonly files: readonly TarItem[];
  readonly script: string;
  readonly labels: Readonly<Record<string, string>>;
}): Promise<string> {
  const owner = ownerOfThisProcess({ runId: 'images', activityId: '1' });
  const open = { workingDir: '/', limits: LIMITS, lifetimeMs: LIMITS.timeoutMs, owner };
  const session = await openSession({ ...open, image: plan.image });
  try {
    await session.put(plan.files);
    const { exit, stdout } = await session.run({ argv: ['sh', '-ec', plan.script], env: GIT_ENV, merged: true });
    if (exit.kind !== 'exited' || exit.code !== 0) throw new Error(`no image: ${stdout}`);
    await session.commit({ repository: REPOSITORY, tag: plan.tag, labels: plan.labels });
    return `${REPOSITORY}:${plan.tag}`;
  } finally {
    await session.close();
  }
}

function itemsOf({
  dir,
  at,
  isLeftOut,
}: {
  dir: string;
  at: string;
  isLeftOut: (path: string) => boolean;
}): readonly TarItem[] {
  return (readdirSync(dir, { recursive: true }) as string[])
    .filter((path) => !isLeftOut(path) && statSync(join(dir, path)).isFile())
    .map((path) => ({ kind: 'host-file', path: `${at}/${path}`, from: join(dir, path), mode: 0o644 }));
}

/** What the daemon has of a run, or of anybody, that should be gone: images count that are made of the run's. */
export async function leftInDocker({ home, image }: { home: string; image: string }) {
  const docker = await connectDocker();
  const { Id: id } = await docker.getImage(image).inspect();
  const [containers, networks, images] = await Promise.all([
    docker.listContainers({ all: true }),
    docker.listNetworks(),
    docker.listImages(),
  ]);
  const ofHome = ({ Labels: labels }: (typeof containers)[number]): boolean =>
    decodeLabel(labels[LABELS.owner] ?? '')?.home === homeDigest(home);
  const made = images.filter(({ ParentId: parent }) => parent === id);
  return {
    containers: containers.filter(ofHome).map(({ Names: [name], State: state }) => `${name} ${state}`),
    networks: networks.map(({ Name: name }) => name).filter((name) => !['none', 'host', 'bridge'].includes(name)),
    'images without a name': made.filter(({ RepoTags: tags }) => (tags ?? []).every(isNone)).map((each) => each.Id),
  };
}

const isNone = (tag: string): boolean => tag === '<none>:<none>';

/** Removes a run's image, if it is there, and what the product has made of it. */
export async function removeImages({ image }: { image: string }): Promise<void> {
  const docker = await connectDocker();
  const images = await docker.listImages();
  const found = images.find(({ RepoTags: tags }) => tags?.includes(image));
  if (found === undefined) return;
  const made = images.filter(({ ParentId: parent }) => parent === found.Id);
  for (const { Id: id } of [...made, found]) await docker.getImage(id).remove({ force: true });
}
