import { BASE } from '../../core/candidate.js';
import type { InstanceSpec } from '../../core/instance.js';
import type { ColumnSpec } from '../../core/loop-state.js';
import type { Suite } from '../../core/suite.js';
import { baseEnvironment } from '../../runners/plan.js';
import { rootInside, runInSandbox, type SandboxResult } from '../../sandbox/sandbox.js';
import { refuseBroken } from '../broken-sandbox.js';
import { openColumn } from '../column.js';
import { getDocument, getInstance, type Prepared, usableCandidate } from '../documents.js';
import type { MethodSubject } from '../method-contract.js';
import { activityOwner, activitySignal, leaveWhenStopping } from '../owner.js';
import { pythonOnHost } from '../python-host.js';
import type { Services } from '../services.js';
import { openWorkspace } from '../workspace.js';

/** A program that ran, while its tree is still there. */
export interface InTree {
  readonly result: SandboxResult;
  readonly treeDir: string;
  /** Just before it started, milliseconds of `Date.now()`; what the tree has from before is older. */
  readonly startedAtMs: number;
}

/**
 * Runs a program in a sandbox of its own, on a copy of a column's tree with `files` over it that is thrown away
 * afterwards. `look` sees the tree before that. Null when a candidate's set-up fails: nothing can be run there.
 *
 * Throws TG-E01 or TG-S09 when Docker broke under it, which says nothing about the candidate.
 *
 * @param argv the program and its arguments, from the instance
 * @param timeoutMs wall time; the environment's limit of a test file by default
 */
export async function runInTree<Found>({
  services,
  input,
  column,
  files,
  argv,
  timeoutMs,
  maxOutputBytes,
  look,
}: {
  services: Services;
  input: MethodSubject;
  column: ColumnSpec;
  files: Suite['files'];
  argv: (instance: InstanceSpec) => readonly string[];
  timeoutMs?: number;
  maxOutputBytes: number;
  look: (ran: InTree) => Promise<Found>;
}): Promise<Found | null> {
  const { store } = services;
  leaveWhenStopping(services);
  const instance = await getInstance({ store, ref: input.instance });
  const prepared = await getDocument<Prepared>({ store, ref: input.prepared });
  const { environment, repository } = instance;
  const owner = activityOwner({ services, runId: input.runId });
  const signal = activitySignal();
  const candidate = column.id === BASE ? null : usableCandidate({ prepared, id: column.id });
  const place = await openColumn({ services, instance, column, candidate, owner, signal });
  if (place.kind === 'not-set-up') return null;
  const python = await pythonOnHost(instance);
  const suite: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files, changed: [], testFiles: [] };
  const workspace = await openWorkspace({ services, runId: input.runId, tree: place.tree, suite });
  try {
    const { treeDir, scratchDir } = workspace;
    const root = rootInside({ kind: environment.sandbox, treeDir, mountAt: repository.path });
    const startedAtMs = Date.now();
    const result = await runInSandbox({
      kind: environment.sandbox,
      treeDir,
      mountAt: repository.path,
      argv: argv(instance),
      env: baseEnvironment({ environment, root, scratchDir }),
      readOnlyPaths: python.readOnlyPaths,
      scratchDir,
      limits: { ...environment.limits, timeoutMs: timeoutMs ?? environment.limits.timeoutMs, maxOutputBytes },
      owner,
      signal,
      ...(place.image === null ? {} : { docker: { image: place.image } }),
    });
    if (result.exit.kind === 'cancelled') signal.throwIfAborted();
    refuseBroken({ exit: result.exit, of: 'a program on a candidate' });
    return await look({ result, treeDir, startedAtMs });
  } finally {
    await workspace.close({ reusable: false });
  }
}
