import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Removable } from './plan-clean.js';
import type { Removed } from './remove.js';

const DAY_MS = 86_400_000;
/** Where a daemon of this machine listens when nothing else is said. */
const SOCKETS = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')];

/** What could be removed from Docker, and how. */
export interface DockerItems {
  readonly items: readonly Removable[];
  readonly remove: () => Promise<readonly Removed[]>;
}

const NOTHING: DockerItems = { items: [], remove: async () => [] };

/**
 * What of ours lies with the Docker daemon and could go: containers whose worker is gone; while nothing is `busy`,
 * images that we made or pulled and that no run has used for `olderThanDays`. Nothing where no daemon answers.
 */
export async function dockerItems({
  busy,
  olderThanDays,
}: {
  busy: boolean;
  olderThanDays: number;
}): Promise<DockerItems> {
  // Loading the client takes longer than to see that there is nothing it could ask.
  if (process.env.DOCKER_HOST === undefined && !SOCKETS.some(existsSync)) return NOTHING;
  const { clean, planCleaning } = await import('../../sandbox/docker-clean.js');
  const found = await planCleaning({ unusedMs: olderThanDays * DAY_MS }).catch(() => []);
  // A run in work may come back to an image whose containers are all gone.
  const plan = found.filter(({ kind }) => kind === 'container' || !busy);
  const itemOf = ({ kind, id, names, bytes, reason }: (typeof plan)[number]): Removable => ({
    kind: kind === 'container' ? 'container' : 'image',
    path: id,
    name: names[0] ?? id,
    bytes,
    reason: kind === 'container' ? reason : `${kind}, ${reason}`,
  });
  const remove = async (): Promise<readonly Removed[]> => {
    const removed: Removed[] = [];
    await clean({ plan, onItem: (item, problem) => removed.push({ item: itemOf(item), problem }) });
    return removed;
  };
  return { items: plan.map(itemOf), remove };
}
