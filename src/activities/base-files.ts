import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BASE } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { Suite } from '../core/suite.js';
import type { Services } from './services.js';
import { columnTree } from './workspace.js';

/** Files of the base commit on this host. */
export interface BaseFiles {
  /** Bytes of a file, or null where the base has none. */
  readonly bytes: (path: string) => Promise<Uint8Array | null>;
  /** Text of a file, or null where the base has none. */
  readonly text: (path: string) => Promise<string | null>;
}

/** The base tree as files, without the user's set-up: for reading only. */
export async function materialisedBase({
  services,
  instance,
}: {
  services: Services;
  instance: InstanceSpec;
}): Promise<BaseFiles> {
  const column = { id: BASE, treeId: instance.repository.treeId, name: BASE };
  const dir = await columnTree({ services, instance, column, candidate: null, setUp: null });
  const root = await realpath(dir);
  const bytes = (path: string): Promise<Buffer | null> => readInside({ root, path });
  return { bytes, text: async (path) => (await bytes(path))?.toString('utf8') ?? null };
}

/** A link in the tree may lead anywhere on the host: what is outside of it is not there. */
async function readInside({ root, path }: { root: string; path: string }): Promise<Buffer | null> {
  try {
    const target = await realpath(join(root, path));
    return target.startsWith(root + sep) ? await readFile(target) : null;
  } catch {
    return null;
  }
}

/** Text of a file as the suite has it, or null where neither suite nor base has it. */
export async function suiteText({
  services,
  suite,
  base,
  path,
}: {
  services: Services;
  suite: Suite;
  base: BaseFiles;
  path: string;
}): Promise<string | null> {
  const edited = suite.files[path];
  if (edited === undefined) return base.text(path);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await services.store.get(edited));
}
