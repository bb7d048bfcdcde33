import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ArtifactStore } from '../artifacts/store.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import { InputError, TestgradError } from '../errors.js';
import type { Invocation } from './invocation.js';

/** Folder of all state: --home, TESTGRAD_HOME, $XDG_STATE_HOME/testgrad or ~/.local/state/testgrad; absolute. */
export function homeFolder({ values, env, cwd }: Pick<Invocation, 'values' | 'env' | 'cwd'>): string {
  const named = values.text('home');
  if (named !== undefined) return resolve(cwd, named);
  return join(absolute(env.XDG_STATE_HOME) ?? join(homedir(), '.local', 'state'), 'testgrad');
}

/** Folder of what can be fetched again: TESTGRAD_CACHE, $XDG_CACHE_HOME/testgrad or ~/.cache/testgrad; absolute. */
export function cacheFolder({ env, cwd }: Pick<Invocation, 'env' | 'cwd'>): string {
  const named = env.TESTGRAD_CACHE;
  if (named !== undefined && named !== '') return resolve(cwd, named);
  return join(absolute(env.XDG_CACHE_HOME) ?? join(homedir(), '.cache'), 'testgrad');
}

/** Folder of a run's files. */
export const runFolder = ({ home, runId }: { home: string; runId: string }): string =>
  join(home, STATE_FOLDERS.runs, runId);

/** Makes the state folder. Throws TG-I14 when it cannot be written, TG-E03 when the disk is full. */
export async function makeHome(home: string): Promise<void> {
  const { mkdir } = await import('node:fs/promises');
  const { withDiskErrors } = await import('../artifacts/store-errors.js');
  try {
    await withDiskErrors({ dir: home, work: () => mkdir(join(home, 'work'), { recursive: true }) });
  } catch (error) {
    if (error instanceof TestgradError) throw error;
    throw new InputError({
      code: 'TG-I14',
      what: `The state folder ${home} cannot be written: ${(error as Error).message}`,
      meaning: 'Results are kept there, so nothing was started.',
      fix: 'Name another one with --home or TESTGRAD_HOME.',
      cause: error,
    });
  }
}

/** The store that TESTGRAD_ARTIFACTS names in this process's environment, else the one of the state folder. */
export async function openStore(home: string, env: NodeJS.ProcessEnv = process.env): Promise<ArtifactStore> {
  const { openArtifacts } = await import('../artifacts/open-store.js');
  return openArtifacts({ env, dir: join(home, STATE_FOLDERS.store) });
}

/** The XDG rules say that relative paths are to be ignored. */
const absolute = (path: string | undefined): string | undefined => (path?.startsWith('/') ? path : undefined);
