import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceSpec } from '../core/instance.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { Scratch } from '../repository/scratch.js';
import { openScratch } from '../repository/scratch.js';
import { snapshotBase } from '../repository/snapshot.js';
import type { ImageBase } from '../sandbox/docker-base.js';
import { readImageBase } from '../sandbox/docker-base.js';
import { imageIdOf } from '../sandbox/docker-image-tree.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';
import type { Services } from './services.js';

/** The repository that an image holds, as an instance has it. */
export interface ImageRepository extends Pick<ImageBase, 'imageId' | 'head' | 'parent' | 'treeId'> {
  readonly bundle: InstanceSpec['repository']['bundle'];
  readonly scratch: Scratch;
}

const known = new Map<string, Promise<ImageRepository>>();

/**
 * Brings the repository at a path of an image to this host and into the store; read once a process. The same tree gives
 * the same bundle, whichever image it comes from. Rejects as {@link readImageBase} does.
 */
export async function imageRepository(input: {
  services: Pick<Services, 'home' | 'store'>;
  /** Id of the image. */
  image: string;
  mountAt: string;
  owner: SandboxOwner;
}): Promise<ImageRepository> {
  const key = `${input.services.home} ${input.image} ${input.mountAt}`;
  const asked = known.get(key);
  if (asked !== undefined && (await isThere((await asked).imageId))) return asked;
  const asking = read(input);
  known.set(key, asking);
  // What fails now may succeed at another time.
  asking.catch(() => known.delete(key));
  return asking;
}

/** An image of ours may have been cleared away between two instances. */
const isThere = (image: string): Promise<boolean> =>
  imageIdOf(image).then(
    () => true,
    () => false,
  );

async function read({ services, image, mountAt, owner }: Parameters<typeof imageRepository>[0]) {
  const { store, home } = services;
  const { bundle: found, imageId, head, parent, treeId } = await readImageBase({ image, mountAt, owner });
  const workDir = join(home, STATE_FOLDERS.work);
  await mkdir(workDir, { recursive: true });
  const scratch = await openScratch({ bundle: found, dir: join(workDir, 'repositories'), treeId });
  const bytes = await snapshotBase({ repoDir: scratch.gitDir, treeId, workDir });
  const bundle = await store.put({ bytes, mediaType: 'application/x-git-bundle' });
  return { imageId, head, parent, treeId, bundle, scratch };
}
