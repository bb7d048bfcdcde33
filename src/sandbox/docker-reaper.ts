import { existsSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { removeContainer } from './docker-container.js';
import { answerOf, connectDocker, type Docker } from './docker-daemon.js';
import { LABELS } from './docker-labels.js';
import { decodeLabel, homeDigest, ownerIsGone } from './owner.js';

/** Where a daemon of this machine listens when nothing else is said. */
const SOCKETS = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')];
/** Containers removed at one time. */
const AT_ONCE = 4;

/** A container of ours, as the daemon lists it. */
export interface OwnedContainer {
  readonly id: string;
  readonly name: string;
  readonly runId: string;
  readonly activityId: string;
  /** Digest of the owner's state folder; empty for none. */
  readonly home: string;
  /** `running`, `exited`, `created`, … */
  readonly state: string;
  /** True when nobody waits for it any more. */
  readonly orphaned: boolean;
}

/**
 * All containers that carry our label, of whatever owner; others are never looked at.
 *
 * One is orphaned when the process that owns it, of this host and in this process namespace, does not run any more; or
 * when its time is over by far, whoever owns it: workers in containers come back under other names.
 *
 * @param host default this machine's name; must be what the owners gave
 */
export async function ownedContainers({
  host = hostname(),
}: {
  host?: string;
} = {}): Promise<readonly OwnedContainer[]> {
  const docker = await connectDocker();
  const filters = { label: [LABELS.owner] };
  return (await answerOf(docker.listContainers({ all: true, filters }))).flatMap((found) => {
    const label = decodeLabel(found.Labels[LABELS.owner] ?? '');
    if (label === null) return [];
    const isLeft = ownerIsGone({ label, host });
    const isOver = Date.now() > Number(found.Labels[LABELS.deadline] ?? Number.NaN);
    const { runId, activityId, home } = label;
    const name = (found.Names[0] ?? found.Id).replace(/^\//, '');
    return [{ id: found.Id, name, runId, activityId, home, state: found.State, orphaned: isLeft || isOver }];
  });
}

/** Removes what dead owners left. Without a daemon there is nothing to remove. */
export async function reapContainers({ host }: { host?: string } = {}): Promise<{ readonly removed: number }> {
  return removeWhere({ host, isMeant: ({ orphaned }) => orphaned });
}

/**
 * Removes every container of a run of this state folder, or of one of its activities, whichever worker started it: at
 * the end of the run, and before an activity is tried again, since nothing of an earlier attempt is taken over. Of
 * another state folder's run with the same id only what a dead owner left.
 */
export async function removeContainersOf({
  runId,
  home,
  activityId,
}: {
  runId: string;
  /** The state folder. */
  home: string;
  activityId?: string;
}): Promise<{ readonly removed: number }> {
  const digest = homeDigest(home);
  const isMeant = (found: OwnedContainer): boolean =>
    found.runId === runId &&
    (activityId === undefined || found.activityId === activityId) &&
    (found.home === digest || found.orphaned);
  return removeWhere({ isMeant });
}

async function removeWhere({
  host,
  isMeant,
}: {
  host?: string | undefined;
  isMeant: (found: OwnedContainer) => boolean;
}): Promise<{ readonly removed: number }> {
  // Loading the client takes longer than to see that there is nothing it could ask.
  if (process.env.DOCKER_HOST === undefined && !SOCKETS.some(existsSync)) return { removed: 0 };
  const docker = await connectDocker();
  if (!(await answers(docker))) return { removed: 0 };
  const meant = (await ownedContainers(host === undefined ? {} : { host })).filter(isMeant);
  let removed = 0;
  for (let at = 0; at < meant.length; at += AT_ONCE) {
    const some = meant.slice(at, at + AT_ONCE).map(({ id }) => removeContainer({ container: docker.getContainer(id) }));
    removed += (await Promise.all(some)).filter(Boolean).length;
  }
  return { removed };
}

async function answers(docker: Docker): Promise<boolean> {
  try {
    await answerOf(docker.ping(), 10_000);
    return true;
  } catch {
    return false;
  }
}
