import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contentKey } from '../artifacts/content-key.js';
import type { InstanceSpec } from '../core/instance.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import type { SandboxError } from '../errors.js';
import { hostPlaces, withoutHostPaths } from '../runners/host-paths.js';
import { baseEnvironment } from '../runners/plan.js';
import { rootInside, runInSandbox, type SandboxOwner } from '../sandbox/sandbox.js';
import { tidyTree } from '../sandbox/tidy-tree.js';
import { MACHINE, sandboxBroke } from './broken-sandbox.js';
import { discard } from './discard.js';
import { pythonOnHost } from './python-host.js';
import type { Services } from './services.js';

type Exit = Awaited<ReturnType<typeof runInSandbox>>['exit'];

/** The set-up command failed in a tree. */
export class SetUpFailure extends Error {
  override readonly name = 'SetUpFailure';
  /** The message as an outcome has it: without paths of this machine. */
  readonly reason: string;
  /** False when the same may succeed at another time: it was killed at its limit, or for want of memory. */
  readonly lasting: boolean;

  constructor({ exit, stderr, reported }: { exit: Exit; stderr: string; reported: string }) {
    super(failureText({ exit, stderr }));
    this.reason = failureText({ exit, stderr: reported });
    this.lasting = exit.kind === 'exited';
  }
}

/** The user's set-up command as a step of making a column's tree. */
export interface SetUpStep {
  /** Digest of all that decides what it makes of a tree. */
  readonly key: string;
  /** True when a tree cannot be moved after it: without a sandbox the command sees where the tree really is. */
  readonly seesPlace: boolean;
  /** Rejects with a {@link SetUpFailure}, or with TG-S09 when our side broke. */
  readonly run: (treeDir: string) => Promise<void>;
}

/** The set-up of an instance's trees; null when there is none. */
export function setUpStep({
  services,
  instance,
  owner,
  signal,
}: {
  services: Services;
  instance: InstanceSpec;
  owner: SandboxOwner;
  signal: AbortSignal;
}): SetUpStep | null {
  const { environment, repository } = instance;
  const { setupCommand, digest, pythonPath, sandbox, limits } = environment;
  if (setupCommand.length === 0) return null;
  const key = contentKey({ setupCommand, digest, pythonPath, sandbox, limits, path: repository.path }).slice(0, 16);
  const run = async (treeDir: string): Promise<void> => {
    const scratchDir = join(services.home, STATE_FOLDERS.work, 'runs', owner.runId, randomUUID());
    await mkdir(scratchDir, { recursive: true });
    try {
      const python = await pythonOnHost(instance);
      const root = rootInside({ kind: sandbox, treeDir, mountAt: repository.path });
      const env = baseEnvironment({ environment, root, scratchDir });
      const { exit, stderr } = await runInSandbox({
        kind: sandbox,
        treeDir,
        mountAt: repository.path,
        argv: setupCommand,
        env,
        readOnlyPaths: python.readOnlyPaths,
        scratchDir,
        limits: { ...limits, maxOutputBytes: 64 * 1024 },
        owner,
        signal,
      });
      signal.throwIfAborted();
      if (exit.kind === 'broken') throw brokenSandbox(exit.reason);
      if (exit.kind !== 'exited' || exit.code !== 0) {
        const places = hostPlaces({ env, readOnlyPaths: python.readOnlyPaths });
        throw new SetUpFailure({ exit, stderr, reported: withoutHostPaths({ text: stderr, root, places }) });
      }
      await tidyTree({ dir: treeDir });
    } finally {
      await discard(scratchDir);
    }
  };
  return { key, seesPlace: sandbox === 'none', run };
}

const brokenSandbox = (reason: string): SandboxError =>
  sandboxBroke({ what: `The sandbox for the set-up command broke: ${reason}`, lookAt: MACHINE });

const failureText = ({ exit, stderr }: { exit: Exit; stderr: string }): string =>
  `The set-up command ended badly (${describeExit(exit)}): ${stderr.trim().slice(-1000)}`;

function describeExit(exit: Exit): string {
  if (exit.kind === 'exited') return `exit code ${exit.code}`;
  if (exit.kind === 'broken') return exit.reason;
  return exit.kind === 'signalled' ? exit.signal : exit.kind;
}
