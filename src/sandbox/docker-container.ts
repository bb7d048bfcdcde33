import type { ContainerCreateOptions } from 'dockerode';
import type { Docker } from './docker-daemon.js';
import { answerOf } from './docker-daemon.js';
import { isNotFound } from './docker-failure.js';
import { containerLabels, containerName } from './docker-labels.js';
import type { TarItem } from './docker-tar.js';
import { packItems } from './docker-tar.js';
import type { SandboxLimits, SandboxOwner } from './types.js';

/** Name of the machine inside, the same everywhere. */
const HOSTNAME = 'testgrad';
/** No file may grow beyond this: a test that writes without end must not fill the daemon's disk. */
const FILE_BYTES = 4 * 1024 ** 3;
/** How long a container may take to disappear. */
const GONE_MS = 30_000;
/** Copying a large tree in or out, or making an image of it, on a slow disk. */
export const COPY_MS = 30 * 60_000;

/** A container of the daemon. */
export type Container = ReturnType<Docker['getContainer']>;

/** What a container is made of. */
export interface ContainerPlan {
  readonly image: string;
  /** Program and arguments; the image's own entry point and command do not count. */
  readonly argv: readonly string[];
  /** Added to the image's own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly limits: SandboxLimits;
  readonly cpus: number;
  /** How long its owner needs it at most. */
  readonly lifetimeMs: number;
  readonly owner: SandboxOwner;
}

/**
 * Makes a container and does not start it: no network, no capabilities and no way to new ones, limits on memory,
 * processes and processors, a first process that collects orphans, no log on the daemon's disk, nothing of the host.
 * Programs are root without root's rights, because images keep their repositories as root's.
 */
export async function createContainer({ docker, plan }: { docker: Docker; plan: ContainerPlan }): Promise<Container> {
  const { image, argv, env, workingDir, limits, cpus, lifetimeMs, owner } = plan;
  const options: ContainerCreateOptions = {
    name: containerName(owner),
    Image: image,
    Entrypoint: [...argv],
    Cmd: [],
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: workingDir,
    User: '0:0',
    Hostname: HOSTNAME,
    Labels: { ...containerLabels({ owner, lifetimeMs }) },
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      Init: true,
      NetworkMode: 'none',
      ExtraHosts: [`${HOSTNAME}:127.0.0.1`],
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Memory: limits.memoryBytes,
      // As much as of memory alone: no swap.
      MemorySwap: limits.memoryBytes,
      // Twice, so that a program over the limit is stopped by the watch, which says so, and seldom meets a failing fork.
      PidsLimit: 2 * limits.maxProcesses,
      NanoCpus: Math.round(cpus * 1e9),
      Ulimits: [
        { Name: 'fsize', Soft: FILE_BYTES, Hard: FILE_BYTES },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
    },
  };
  return answerOf(docker.createContainer(options));
}

/** Copies files, folders and links into a container, running or not. */
export async function putItems({
  container,
  items,
}: {
  container: Container;
  items: readonly TarItem[];
}): Promise<void> {
  if (items.length === 0) return;
  await answerOf(container.putArchive(packItems(items), { path: '/' }), COPY_MS);
}

/** Kills a container, removes it with its volumes, and asks until it is gone; false when it is still there after 30 s. */
export async function removeContainer({ container }: { container: Container }): Promise<boolean> {
  const until = performance.now() + GONE_MS;
  for (;;) {
    try {
      await answerOf(container.remove({ force: true, v: true }), GONE_MS);
    } catch {
      // Gone already, being removed by somebody else, or the daemon is away: the question below tells.
    }
    if (await isGone(container)) return true;
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function isGone(container: Container): Promise<boolean> {
  try {
    await answerOf(container.inspect(), 10_000);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}
