import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contentKey } from '../artifacts/content-key.js';
import type { InstanceSpec } from '../core/instance.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import { SandboxError } from '../errors.js';
import { baseEnvironment } from '../runners/plan.js';
import { rootInside, runInSandbox, type SandboxOwner } from '../sandbox/sandbox.js';
import { discard } from './discard.js';
import { pythonOnHost } from './python-host.js';
import type { Services } from './services.js';

/** The user's set-up command as a step of making a column's tree; null when there is none. Throws TG-S10. */
export function setUpTree({
  services,
  instance,
  owner,
  signal,
}: {
  services: Services;
  instance: InstanceSpec;
  owner: SandboxOwner;
  signal: AbortSignal;
}): { readonly key: string; readonly run: (treeDir: string) => Promise<void> } | null {
  const { environment, repository } = instance;
  const { setupCommand } = environment;
  if (setupCommand.length === 0) return null;
  const key = contentKey({ setupCommand, environment: environment.digest }).slice(0, 12);
  const run = async (treeDir: string): Promise<void> => {
    const scratchDir = join(services.home, STATE_FOLDERS.work, 'runs', owner.runId, randomUUID());
    await mkdir(scratchDir, { recursive: true });
    try {
      const python = await pythonOnHost(instance);
      const root = rootInside({ kind: environment.sandbox, treeDir, mountAt: repository.path });
      const result = await runInSandbox({
        kind: environment.sandbox,
        treeDir,
        mountAt: repository.path,
        argv: setupCommand,
        env: baseEnvironment({ environment, root }),
        readOnlyPaths: python.readOnlyPaths,
        scratchDir,
        limits: { ...environment.limits, maxOutputBytes: 64 * 1024 },
        owner,
        signal,
      });
      if (result.exit.kind === 'exited' && result.exit.code === 0) return;
      signal.throwIfAborted();
      throw new SandboxError({
        code: 'TG-S10',
        what: `The set-up command ended badly (${describeExit(result.exit)}): ${result.stderr.trim().slice(-1000)}`,
        meaning: 'It runs once in each candidate tree, without network. No test was run, nothing was spent.',
        fix: 'Mend --setup, or prepare the environment beforehand and leave it out.',
      });
    } finally {
      await discard(scratchDir);
    }
  };
  return { key, run };
}

function describeExit(exit: { readonly kind: string; readonly code?: number; readonly signal?: string }): string {
  return exit.kind === 'exited' ? `exit code ${exit.code}` : (exit.signal ?? exit.kind);
}
