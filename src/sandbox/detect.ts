import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bubblewrapVersion } from './bubblewrap.js';
import { findExecutable } from './executable.js';
import { ownerOfThisProcess } from './owner.js';
import { runInSandbox } from './sandbox.js';

/** Whether this machine can isolate tests. */
export interface BubblewrapCheck {
  readonly available: boolean;
  /** `0.8.0`; null when bubblewrap does not run at all. */
  readonly version: string | null;
  /** Why it is not available, for a person; empty when it is. */
  readonly reason: string;
}

/** Starts a real sandbox and says whether that works: an installed `bwrap` may still lack the right to make namespaces. */
export async function detectBubblewrap(): Promise<BubblewrapCheck> {
  const bwrap = findExecutable({ name: 'bwrap' });
  if (bwrap === null) return { available: false, version: null, reason: 'bwrap is not installed' };
  const version = await bubblewrapVersion(bwrap);
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-check-'));
  try {
    const [treeDir, scratchDir] = [join(dir, 'tree'), join(dir, 'scratch')];
    for (const path of [treeDir, scratchDir]) await mkdir(path);
    const { exit } = await runInSandbox({
      kind: 'bubblewrap',
      treeDir,
      mountAt: treeDir,
      argv: ['true'],
      env: { PATH: '/usr/bin:/bin' },
      readOnlyPaths: [],
      scratchDir,
      limits: { timeoutMs: 10_000, memoryBytes: 1024 ** 3, maxProcesses: 16, maxOutputBytes: 10_000 },
      owner: ownerOfThisProcess({ runId: 'check', activityId: 'check' }),
    });
    if (exit.kind === 'exited' && exit.code === 0) return { available: true, version, reason: '' };
    return { available: false, version, reason: exit.kind === 'broken' ? exit.reason : `it ${exit.kind}` };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
