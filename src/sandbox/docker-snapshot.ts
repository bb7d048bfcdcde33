import { createHash } from 'node:crypto';
import { answerOf, connectDocker } from './docker-daemon.js';
import { isNotFound } from './docker-failure.js';
import { imageIdOf, imageTree, TREE_FILE } from './docker-image-tree.js';
import { imageLabels } from './docker-labels.js';
import { removalOf } from './docker-removal.js';
import { hashOf } from './docker-request.js';
import { openSession } from './docker-session.js';
import type { Tree } from './docker-tree.js';
import { formatTree, hostTree, treeChange, treeItems } from './docker-tree.js';
import type { SandboxLimits, SandboxOwner, SandboxResult } from './types.js';

/** Repository of the images that we make, in Docker's sense; nothing else is ever tagged with it. */
export const SNAPSHOTS = 'testgrad/snapshot';

/** A program that prepares a tree once, in the container and with its result kept. */
export interface SnapshotSetUp {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An image with a candidate's tree, or why there is none. */
export type Snapshot =
  | {
      readonly kind: 'ready';
      readonly imageId: string /** False when it was there already. */;
      readonly created: boolean;
    }
  | { readonly kind: 'set-up-failed'; readonly result: SandboxResult };

/**
 * The image that has a candidate's tree over another image's repository and its set-up done: made once, found again by
 * what went into it, made again where it is absent. Executions start fresh containers from it, so that none sees
 * another's leftovers.
 *
 * Rejects with Docker's error, or with an Error when our side failed; a set-up that fails is a result.
 */
export async function ensureSnapshot({
  image,
  treeDir,
  mountAt,
  setUp,
  limits,
  owner,
  signal,
}: {
  image: string;
  /** The candidate's complete tree on this host. */
  treeDir: string;
  mountAt: string;
  /** Null for none. */
  setUp: SnapshotSetUp | null;
  limits: SandboxLimits;
  owner: SandboxOwner;
  signal?: AbortSignal | undefined;
}): Promise<Snapshot> {
  const baseId = await imageIdOf(image);
  const from = await imageTree({ imageId: baseId, mountAt, owner });
  const to = await hostTree({ dir: treeDir, hash: hashOf(from) });
  const change = treeChange({ from, to });
  if (setUp === null && change.write.length + change.remove.length === 0) {
    return { kind: 'ready', imageId: baseId, created: false };
  }
  const key = snapshotKey({ baseId, mountAt, tree: to, setUp });
  const known = await findSnapshot({ key });
  if (known !== null) return { kind: 'ready', imageId: known, created: false };

  const lifetimeMs = limits.timeoutMs * 2;
  const session = await openSession({ image: baseId, workingDir: mountAt, limits, lifetimeMs, owner });
  try {
    const removal = removalOf({ at: mountAt, change, to });
    if (removal.prefix.length > 0) {
      await session.put(removal.items);
      requireSuccess(await session.run({ argv: [...removal.prefix, 'true'], signal }));
    }
    await session.put([
      ...(await treeItems({ dir: treeDir, at: mountAt, tree: to, paths: change.write })),
      { kind: 'folder', path: '/opt/testgrad', mode: 0o755 },
      { kind: 'file', path: TREE_FILE, content: Buffer.from(formatTree(to)), mode: 0o644 },
    ]);
    if (setUp !== null) {
      const result = await session.run({ ...setUp, signal });
      const { exit } = result;
      // At its memory limit it is the set-up that wants more, as at its time limit.
      if (exit.kind === 'broken' && exit.infra !== 'memory') throw new Error(exit.reason);
      if (exit.kind !== 'exited' || exit.code !== 0) return { kind: 'set-up-failed', result };
    }
    const imageId = await session.commit({ repository: SNAPSHOTS, tag: key, labels: imageLabels({ snapshot: key }) });
    return { kind: 'ready', imageId, created: true };
  } finally {
    await session.close();
  }
}

/** Id of the image that we made under a key, or null. Finding it counts as a use of it. */
export async function findSnapshot({ key }: { key: string }): Promise<string | null> {
  const docker = await connectDocker();
  try {
    const image = docker.getImage(`${SNAPSHOTS}:${key}`);
    const { Id: id } = await answerOf(image.inspect());
    // Docker keeps the time of the last tag: that is when it was used.
    await answerOf(image.tag({ repo: SNAPSHOTS, tag: key }));
    return id;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function snapshotKey(parts: { baseId: string; mountAt: string; tree: Tree; setUp: SnapshotSetUp | null }): string {
  const { baseId, mountAt, tree, setUp } = parts;
  const text = JSON.stringify([baseId, mountAt, formatTree(tree), setUp]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Throws an Error when a program of ours did not end well in a container. */
export function requireSuccess({ exit, stdout, stderr }: SandboxResult): string {
  if (exit.kind === 'exited' && exit.code === 0) return stdout;
  const how = exit.kind === 'exited' ? `exit code ${exit.code}` : exit.kind === 'broken' ? exit.reason : exit.kind;
  throw new Error(`A step in the container failed (${how}): ${stderr.trim().slice(-1_000)}`);
}
