import { BUILT } from './docker-build.js';
import { removeContainer } from './docker-container.js';
import { answerOf, connectDocker } from './docker-daemon.js';
import { PULLED, pulledTag } from './docker-pull.js';
import { ownedContainers } from './docker-reaper.js';
import { SNAPSHOTS } from './docker-snapshot.js';

/** Something of ours that can be removed. */
export interface Removable {
  readonly kind: 'container' | 'snapshot' | 'built image' | 'pulled image';
  readonly id: string;
  /** The names that we gave it, or pulled it under; an image that has others stays under those. */
  readonly names: readonly string[];
  /** Bytes of an image, layers that it shares with others included; 0 for a container. */
  readonly bytes: number;
  /** Why it may go. */
  readonly reason: string;
}

/** Removed at one time. */
const AT_ONCE = 4;

/**
 * What could be removed and why, without removing anything: orphaned containers; snapshots, built images and images
 * that we pulled which no run has used for `unusedMs`. What does not carry our label or tag is not among it.
 *
 * @param unusedMs default seven days; 0 for all
 * @param keepRunning false to include containers of living owners; default true
 */
export async function planCleaning({
  unusedMs = 7 * 24 * 3_600_000,
  keepRunning = true,
}: {
  unusedMs?: number;
  keepRunning?: boolean;
} = {}): Promise<readonly Removable[]> {
  const docker = await connectDocker();
  const containers = (await ownedContainers())
    .filter(({ orphaned }) => orphaned || !keepRunning)
    .map(
      ({ id, name, runId, state, orphaned }): Removable => ({
        kind: 'container',
        id,
        names: [name],
        bytes: 0,
        reason: `${state}, of run ${runId}${orphaned ? ', whose worker is gone' : ''}`,
      }),
    );
  const images: Removable[] = [];
  for (const { Id: id, RepoTags: tags, Size: bytes } of await answerOf(docker.listImages())) {
    const kind = kindOf(tags ?? []);
    if (kind === null) continue;
    const names = (tags ?? []).filter((tag) => isOurs({ kind, tag, tags: tags ?? [] }));
    const unusedFor = Date.now() - (await lastUse(id));
    if (unusedFor < unusedMs) continue;
    const reason = `not used for ${Math.floor(unusedFor / 3_600_000)} h`;
    images.push({ kind, id, names, bytes, reason });
  }
  // Snapshots first: an image that others are made of cannot go before them.
  const order = ['snapshot', 'built image', 'pulled image'];
  return [...containers, ...images.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))];
}

/** Removes what a plan names; what something still uses stays, and is told with Docker's words. */
export async function clean({
  plan,
  onItem = () => undefined,
}: {
  plan: readonly Removable[];
  /** `problem` is empty when it is gone. */
  onItem?: (item: Removable, problem: string) => void;
}): Promise<{ readonly removed: number; readonly stayed: number }> {
  let removed = 0;
  const remove = async (item: Removable): Promise<void> => {
    const problem = await removeItem(item);
    if (problem === '') removed += 1;
    onItem(item, problem);
  };
  for (const kinds of [['container'], ['snapshot'], ['built image', 'pulled image']]) {
    const some = plan.filter(({ kind }) => kinds.includes(kind));
    for (let at = 0; at < some.length; at += AT_ONCE) await Promise.all(some.slice(at, at + AT_ONCE).map(remove));
  }
  return { removed, stayed: plan.length - removed };
}

async function removeItem({ kind, id, names }: Removable): Promise<string> {
  const docker = await connectDocker();
  if (kind === 'container') {
    const gone = await removeContainer({ container: docker.getContainer(id) });
    return gone ? '' : 'it could not be removed';
  }
  try {
    // Name by name, and not by force: Docker refuses the last one as long as a container needs the image.
    for (const name of names) await answerOf(docker.getImage(name).remove());
    return '';
  } catch (error) {
    return String((error as Error).message).trim();
  }
}

function kindOf(tags: readonly string[]): Removable['kind'] | null {
  const has = (repository: string): boolean => tags.some((tag) => tag.startsWith(`${repository}:`));
  if (has(SNAPSHOTS)) return 'snapshot';
  if (has(BUILT)) return 'built image';
  return has(PULLED) ? 'pulled image' : null;
}

function isOurs({ kind, tag, tags }: { kind: Removable['kind']; tag: string; tags: readonly string[] }): boolean {
  if (kind === 'snapshot') return tag.startsWith(`${SNAPSHOTS}:`);
  if (kind === 'built image') return tag.startsWith(`${BUILT}:`);
  return tag.startsWith(`${PULLED}:`) || tags.includes(`${PULLED}:${pulledTag(tag)}`);
}

/** Milliseconds since 1970 of the last tag, which every use renews. */
async function lastUse(id: string): Promise<number> {
  const docker = await connectDocker();
  const { Metadata: metadata, Created: created } = (await answerOf(docker.getImage(id).inspect())) as {
    readonly Metadata?: { readonly LastTagTime?: string };
    readonly Created: string;
  };
  const tagged = Date.parse(metadata?.LastTagTime ?? '');
  return tagged > 0 ? tagged : Date.parse(created);
}
