import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../errors.js';
import { initBare } from './bare-repository.js';
import { git, gitLine, tryGit } from './git.js';
import { SNAPSHOT_REF } from './snapshot.js';

/** A copy that is being made this long belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 3_600_000;

/** A bare repository of our own on this host that holds the base tree, and the candidates' trees once applied. */
export interface Scratch {
  /** Absolute path. */
  readonly gitDir: string;
  /** Git tree of the base. */
  readonly treeId: string;
}

/**
 * The scratch repository of a base tree on this host: the one below `dir` if there is one, else made from the bundle.
 *
 * Several processes may open it at one time, and a kill leaves none that is half made. `bundle` is the bytes made by
 * {@link snapshotBase}, or where to get them; it is only called for when they are needed. TG-R07 when the bundle is not
 * one of this tree.
 */
export async function openScratch({
  bundle,
  dir,
  treeId,
}: {
  bundle: Uint8Array | (() => Promise<Uint8Array>);
  dir: string;
  treeId: string;
}): Promise<Scratch> {
  const gitDir = join(dir, `${treeId}.git`);
  if (await isWhole({ gitDir, treeId })) return { gitDir, treeId };
  await mkdir(dir, { recursive: true });
  await removeAbandoned(dir);
  const fresh = join(dir, `.new-${randomUUID()}`);
  try {
    await unpack({ gitDir: fresh, treeId, bundle: typeof bundle === 'function' ? await bundle() : bundle });
    await putInPlace({ fresh, gitDir, treeId });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return { gitDir, treeId };
}

/** True when a repository is there and holds a tree with everything below it. */
async function isWhole({ gitDir, treeId }: { gitDir: string; treeId: string }): Promise<boolean> {
  const there = await stat(gitDir).catch(() => undefined);
  if (there === undefined) return false;
  const listed = await tryGit({ gitDir, args: ['rev-list', '--objects', '--quiet', treeId] });
  return listed.exitCode === 0;
}

async function unpack({ gitDir, treeId, bundle }: { gitDir: string; treeId: string; bundle: Uint8Array }) {
  await initBare({ gitDir, objectFormat: treeId.length === 64 ? 'sha256' : 'sha1' });
  const file = join(gitDir, 'base.bundle');
  await writeFile(file, bundle);
  const unbundled = await tryGit({ gitDir, args: ['bundle', 'unbundle', file] });
  const commit = unbundled.stdout.toString().split(' ')[0] ?? '';
  if (unbundled.exitCode !== 0 || commit === '') throw wrongBundle({ treeId, words: unbundled.stderr });
  await rm(file);
  await git({ gitDir, args: ['update-ref', SNAPSHOT_REF, commit] });
  const held = await gitLine({ gitDir, args: ['rev-parse', `${commit}^{tree}`] });
  if (held !== treeId) throw wrongBundle({ treeId, words: `it holds tree ${held}` });
}

/** A rename shows other processes a complete repository or none; whoever comes second uses the first one's. */
async function putInPlace({ fresh, gitDir, treeId }: { fresh: string; gitDir: string; treeId: string }) {
  try {
    await rename(fresh, gitDir);
  } catch (error) {
    if (await isWhole({ gitDir, treeId })) return;
    const damaged = `${fresh}-damaged`;
    try {
      await rename(gitDir, damaged);
      await rename(fresh, gitDir);
    } catch {
      throw error;
    } finally {
      await rm(damaged, { recursive: true, force: true });
    }
  }
}

async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    const status = name.startsWith('.new-') ? await stat(path).catch(() => undefined) : undefined;
    if (status !== undefined && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

function wrongBundle({ treeId, words }: { treeId: string; words: string }) {
  return new StoreError({
    code: 'TG-R07',
    what: `The stored snapshot of the base is damaged or not one of tree ${treeId}.`,
    meaning: 'Without the base no candidate can be applied on this host.',
    fix: 'Run the command again with an empty store directory.',
    cause: new Error(words.trim()),
  });
}
