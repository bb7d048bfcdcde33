import { join } from 'node:path';
import type { InstanceSpec } from '../core/instance.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import { openScratch, type Scratch } from '../repository/scratch.js';
import type { Services } from './services.js';

/** The base repository on this host, made from the instance's bundle when it is not there yet. */
export async function openRepository({
  services,
  instance,
}: {
  services: Pick<Services, 'home' | 'store'>;
  instance: InstanceSpec;
}): Promise<Scratch> {
  const { treeId, bundle } = instance.repository;
  return openScratch({
    bundle: () => services.store.get(bundle),
    dir: join(services.home, STATE_FOLDERS.work, 'repositories'),
    treeId,
  });
}
