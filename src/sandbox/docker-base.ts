import { createHash } from 'node:crypto';
import { gitIn, otherHistory, removeOtherHistory } from './docker-history.js';
import { imageIdOf, OWN_LIMITS } from './docker-image-tree.js';
import { imageLabels } from './docker-labels.js';
import { openSession } from './docker-session.js';
import { findSnapshot, SNAPSHOTS } from './docker-snapshot.js';
import type { SandboxOwner } from './types.js';

/** The repository in an image, as executions and the optimizer's tools may see it. */
export interface ImageBase {
  /** The image itself, or one of ours without the history that has no place in it. */
  readonly imageId: string;
  /** HEAD; in official images one commit above the instance's base commit. */
  readonly head: string;
  /** First parent of HEAD, or null. */
  readonly parent: string | null;
  /** Git tree of HEAD: what candidates are applied to. */
  readonly treeId: string;
  /** Git bundle with one commit without parents that holds this tree, its ref `refs/heads/base`. */
  readonly bundle: Uint8Array;
  /** What was taken out of sight, for people; empty when nothing was there. */
  readonly hidden: string;
}

/** The largest bundle of a single tree that is taken. */
const BUNDLE_BYTES = 1024 ** 3;
const BUNDLE = '/opt/testgrad/base.bundle';

/**
 * Reads the repository at a path of an image, and makes an image without later commits, remotes, other branches and
 * reflogs where the image has any: a test that an optimizer wrote could print what it finds there.
 *
 * Rejects with Docker's error, or with an Error when there is no repository.
 */
export async function readImageBase({
  image,
  mountAt,
  owner,
}: {
  image: string;
  mountAt: string;
  owner: SandboxOwner;
}): Promise<ImageBase> {
  const givenId = await imageIdOf(image);
  const key = `base-${createHash('sha256').update(`${givenId} ${mountAt}`).digest('hex').slice(0, 32)}`;
  const known = await findSnapshot({ key });
  const limits = OWN_LIMITS;
  const options = { workingDir: mountAt, limits, lifetimeMs: 3 * limits.timeoutMs, owner };
  const session = await openSession({ image: known ?? givenId, ...options });
  try {
    const git = await gitIn({ session, mountAt });
    const found = await otherHistory({ git });
    const { remotes, refs, commits } = found;
    const isClean = remotes.length + refs.length + commits === 0;
    let imageId = known ?? givenId;
    if (!isClean) {
      await removeOtherHistory({ session, git, mountAt, found });
      imageId = await session.commit({ repository: SNAPSHOTS, tag: key, labels: imageLabels({ snapshot: key }) });
    }
    const [head = '', parent = null] = (await git('log', '-1', '--format=%H %P')).trim().split(' ');
    const treeId = (await git('rev-parse', 'HEAD^{tree}')).trim();
    const alone = (await git('commit-tree', '-m', 'base', treeId)).trim();
    await git('update-ref', 'refs/heads/base', alone);
    await git('bundle', 'create', BUNDLE, 'refs/heads/base');
    const [bundle] = await session.get({ path: BUNDLE, maxBytes: BUNDLE_BYTES });
    const hidden = isClean ? '' : `${commits} commits, ${refs.length} refs, ${remotes.length} remotes`;
    return { imageId, head, parent: parent || null, treeId, bundle: bundle?.content ?? new Uint8Array(), hidden };
  } finally {
    await session.close();
  }
}
