import { join } from 'node:path';
import type { InstanceSpec } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { hostPlaces } from '../runners/host-paths.js';
import { planFile, recorderDir } from '../runners/plan.js';
import { readRecord } from '../runners/read-record.js';
import { readRecordFile } from '../runners/record-file.js';
import { rootInside, runInSandbox, type SandboxOwner } from '../sandbox/sandbox.js';
import { pythonOnHost } from './python-host.js';
import type { Services } from './services.js';
import { openWorkspace } from './workspace.js';

// Screen text is only read when a process died before it recorded anything.
const MAX_OUTPUT_BYTES = 256 * 1024;

/** One test file on one column. */
export interface FileRun {
  readonly services: Services;
  readonly instance: InstanceSpec;
  readonly suite: Suite;
  readonly treeId: string;
  /** The column's tree on this host. */
  readonly tree: string;
  readonly file: string;
  readonly mode: 'run' | 'collect';
  readonly probeModules: readonly string[];
  readonly owner: SandboxOwner;
  readonly signal: AbortSignal;
}

/**
 * Runs a test file in a sandbox of its own, on a copy of the column's tree that is thrown away afterwards.
 *
 * `mayPass` is true where the machine may have had a part in the outcome: the run was killed at a limit, or from
 * outside, as a system does that runs out of memory.
 */
export async function runFile({
  services,
  instance,
  suite,
  tree,
  file,
  mode,
  probeModules,
  owner,
  signal,
}: FileRun): Promise<{ outcome: FileOutcome; mayPass: boolean }> {
  const { environment, repository } = instance;
  const python = await pythonOnHost(instance);
  const workspace = await openWorkspace({ services, runId: owner.runId, tree, suite });
  try {
    const root = rootInside({ kind: environment.sandbox, treeDir: workspace.treeDir, mountAt: repository.path });
    const outputFile = join(workspace.scratchDir, 'record.jsonl');
    const plan = planFile({ environment, file, mode, root, recorderDir: recorderDir(), outputFile, probeModules });
    const result = await runInSandbox({
      kind: environment.sandbox,
      treeDir: workspace.treeDir,
      mountAt: repository.path,
      argv: plan.argv,
      env: plan.env,
      readOnlyPaths: [...python.readOnlyPaths, recorderDir()],
      scratchDir: workspace.scratchDir,
      limits: { ...environment.limits, maxOutputBytes: MAX_OUTPUT_BYTES },
      owner,
      signal,
    });
    const { exit } = result;
    if (exit.kind === 'cancelled') signal.throwIfAborted();
    const record = await readRecordFile({ path: outputFile });
    const places = hostPlaces({ env: plan.env, readOnlyPaths: python.readOnlyPaths });
    const outcome = readRecord({ ...record, file, result, root, places });
    const isKilled = exit.kind === 'overlimit' || (exit.kind === 'signalled' && exit.signal === 'SIGKILL');
    return { outcome, mayPass: outcome.state === 'timeout' || (outcome.state === 'crashed' && isKilled) };
  } finally {
    await workspace.remove();
  }
}
