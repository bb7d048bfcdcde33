import { join } from 'node:path';
import { sandboxHere } from '../support/instances.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { benchmarkScene } from './benchmarks.js';
import { startChaosServer } from './chaos-server.js';
import { openDockerScene } from './docker-selections.js';
import type { Scene } from './scene.js';
import { selectionScenes } from './selections.js';

/** What may be played. */
export const KINDS = ['selections', 'benchmark', 'docker'] as const;
export type Kind = (typeof KINDS)[number];

/** Makes what runs are played with below `dir`: of one kind, or of all that this machine can play. */
export async function openScenes({
  dir,
  only,
  tell,
}: {
  dir: string;
  only: Kind | undefined;
  tell: (line: string) => void;
}): Promise<{
  readonly scenes: readonly Scene[];
  readonly close: (how: { readonly broken: boolean }) => Promise<void>;
}> {
  const isWanted = (kind: Kind): boolean => only === undefined || only === kind;
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  const server = await startChaosServer({ home: join(dir, 'server') });
  const docker = isWanted('docker') ? await openDockerScene({ dir, server, python, tell }) : null;
  return {
    scenes: [
      ...(isWanted('selections') ? await selectionScenes({ dir, server, python, sandbox }) : []),
      ...(isWanted('benchmark') ? [benchmarkScene({ dir, python, sandbox })] : []),
      ...(docker === null ? [] : [docker.scene]),
    ],
    close: async ({ broken }) => {
      await server.stop({ broken });
      await docker?.close();
    },
  };
}
