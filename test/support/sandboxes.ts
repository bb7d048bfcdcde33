import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectBubblewrap } from '../../src/sandbox/detect.js';
import { ownerOfThisProcess } from '../../src/sandbox/owner.js';
import type { SandboxKind, SandboxRequest, SandboxResult } from '../../src/sandbox/sandbox.js';
import { runInSandbox } from '../../src/sandbox/sandbox.js';

/** False when this machine has no working bubblewrap; says so once, so that skipped tests are not taken for passed ones. */
export async function hasBubblewrap(): Promise<boolean> {
  const { available, reason } = await detectBubblewrap();
  if (!available) console.warn(`SKIPPED: tests that need bubblewrap (${reason})`);
  return available;
}

/** A place for one test's trees, with the path at which the tree appears. */
export interface Playground {
  readonly dir: string;
  readonly treeDir: string;
  readonly scratchDir: string;
  readonly mountAt: string;
  /** Runs a program with small limits; everything can be overridden. */
  readonly run: (change: Partial<SandboxRequest> & Pick<SandboxRequest, 'argv'>) => Promise<SandboxResult>;
  readonly remove: () => Promise<void>;
}

/** Makes a playground under the system's directory for temporary files. */
export async function makePlayground({ kind }: { kind: SandboxKind }): Promise<Playground> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-sandbox-'));
  const [treeDir, scratchDir, mountAt] = [join(dir, 'tree'), join(dir, 'scratch'), join(dir, 'repository')];
  for (const path of [treeDir, scratchDir, mountAt]) await mkdir(path);
  return {
    dir,
    treeDir,
    scratchDir,
    mountAt,
    run: (change) =>
      runInSandbox({
        kind,
        treeDir,
        mountAt,
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          HOME: kind === 'none' ? join(scratchDir, 'home') : '/home/testgrad',
        },
        readOnlyPaths: [],
        scratchDir,
        limits: { timeoutMs: 20_000, memoryBytes: 1024 ** 3, maxProcesses: 64, maxOutputBytes: 100_000 },
        owner: ownerOfThisProcess({ runId: 'test-run', activityId: 'test-activity' }),
        ...change,
      }),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
