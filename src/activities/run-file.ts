import { join, relative, sep } from 'node:path';
import type { InstanceSpec } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { hostPlaces } from '../runners/host-paths.js';
import { planFile, recorderDir } from '../runners/plan.js';
import { readRecord } from '../runners/read-record.js';
import { readRecordFile } from '../runners/record-file.js';
import { rootInside, type SandboxOwner } from '../sandbox/sandbox.js';
import { refuseBroken } from './broken-sandbox.js';
import { runWithinMemory } from './memory-bound.js';
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
  /** Id of the image that holds it; null without Docker. */
  readonly image: string | null;
  readonly file: string;
  readonly mode: 'run' | 'collect';
  /** Number of the rerun, 0 for the first execution. */
  readonly rerun: number;
  readonly probeModules: readonly string[];
  readonly owner: SandboxOwner;
  readonly signal: AbortSignal;
}

/** What an execution showed. */
export interface RanFile {
  readonly outcome: FileOutcome;
  /**
   * True where the machine may have had a part in the outcome: the run was killed at a limit, or from outside, as a
   * system does that runs out of memory.
   */
  readonly mayPass: boolean;
}

/**
 * Runs a test file in a sandbox of its own, on a copy of the column's tree that no execution has touched.
 *
 * Throws EnvironmentError TG-E01 when Docker cannot be reached.
 */
export async function runFile({
  services,
  instance,
  suite,
  tree,
  image,
  file,
  mode,
  rerun,
  probeModules,
  owner,
  signal,
}: FileRun): Promise<RanFile> {
  const { environment, repository } = instance;
  const python = await pythonOnHost(instance);
  const mountPoints = pointsBelow({ root: repository.path, paths: python.readOnlyPaths });
  const workspace = await openWorkspace({ services, runId: owner.runId, tree, suite, mountPoints });
  let reusable = false;
  try {
    const root = rootInside({ kind: environment.sandbox, treeDir: workspace.treeDir, mountAt: repository.path });
    const outputFile = join(workspace.scratchDir, 'record.jsonl');
    const plan = planFile({
      ...{ environment, file, mode, root, outputFile, probeModules },
      recorderDir: recorderDir(),
      seed: rerun,
    });
    const result = await runWithinMemory({
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
      ...(image === null ? {} : { docker: { image } }),
    });
    const { exit } = result;
    reusable = exit.kind === 'exited';
    if (exit.kind === 'broken' && exit.away === true) refuseBroken({ exit, of: file });
    if (exit.kind === 'cancelled') signal.throwIfAborted();
    const record = await readRecordFile({ path: outputFile });
    const places = hostPlaces({ env: plan.env, readOnlyPaths: python.readOnlyPaths });
    const outcome = readRecord({ ...record, file, result, root, places });
    const isKilled = exit.kind === 'overlimit' || (exit.kind === 'signalled' && exit.signal === 'SIGKILL');
    return { outcome, mayPass: outcome.state === 'timeout' || (outcome.state === 'crashed' && isKilled) };
  } finally {
    await workspace.close({ reusable });
  }
}

/** Those of `paths` that lie below the repository (a `.venv` in it), relative to it. */
const pointsBelow = ({ root, paths }: { root: string; paths: readonly string[] }): string[] =>
  paths.filter((path) => path.startsWith(root + sep)).map((path) => relative(root, path));
