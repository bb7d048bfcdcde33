import { join } from 'node:path';
import { contentKey } from '../artifacts/content-key.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { InstanceSpec, TestEnvironment } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { SandboxError } from '../errors.js';
import { planFile, RECORDER_VERSION, recorderDir } from '../runners/plan.js';
import { readRecord } from '../runners/read-record.js';
import { readRecordFile } from '../runners/record-file.js';
import { rootInside, runInSandbox, type SandboxOwner } from '../sandbox/sandbox.js';
import { getDocument, putDocument } from './documents.js';
import { pythonOnHost } from './python-host.js';
import type { Services } from './services.js';
import { openWorkspace } from './workspace.js';

// Screen text is only read when a process died before it recorded anything.
const MAX_OUTPUT_BYTES = 256 * 1024;

export interface ExecuteFileInput {
  readonly services: Services;
  readonly instance: InstanceSpec;
  readonly suite: Suite;
  readonly treeId: string;
  /** The column's tree on this host. */
  readonly tree: string;
  readonly file: string;
  readonly rerun: number;
  readonly mode: 'run' | 'collect';
  readonly probeModules: readonly string[];
  readonly owner: SandboxOwner;
  readonly signal: AbortSignal;
}

/**
 * One test file on one column: from the store when it is known, else executed in a sandbox of its own and stored.
 *
 * The key holds all that can change the outcome: environment, tree, the file's bytes, the support files of the suite,
 * limits and the recorder's version. Throws SandboxError TG-S09 when our side broke, so that nothing is held against a
 * candidate.
 */
export async function executeFile(
  input: ExecuteFileInput,
): Promise<{ ref: ArtifactRef; outcome: FileOutcome; reused: boolean }> {
  const { store } = input.services;
  const kind = 'file-outcome';
  const key = outcomeKey(input);
  const kept = (ref: ArtifactRef): Promise<FileOutcome> => getDocument<FileOutcome>({ store, ref });
  const known = await store.lookup({ kind, key });
  if (known !== undefined) return { ref: known, outcome: await kept(known), reused: true };
  const outcome = await runFile(input);
  if (outcome.state === 'infra') {
    throw new SandboxError({
      code: 'TG-S09',
      what: `The sandbox for ${input.file} broke: ${outcome.reason}`,
      meaning: 'Nothing is known about the candidate and nothing is held against it.',
      fix: 'It is tried again; look at the machine (disk, memory, bubblewrap) when this repeats.',
    });
  }
  const { ref, created } = await store.bind({ kind, key, ref: await putDocument({ store, value: outcome }) });
  // Of two executions at one time the first one's outcome counts for both.
  return { ref, outcome: created ? outcome : await kept(ref), reused: false };
}

function outcomeKey({ instance, suite, treeId, file, rerun, mode, probeModules }: ExecuteFileInput): string {
  const { environment, repository } = instance;
  const support = Object.entries(suite.files).filter(([path]) => path === file || isSupport(path));
  return contentKey({
    recorder: RECORDER_VERSION,
    environment: environmentKey(environment),
    path: repository.path,
    treeId,
    file,
    files: Object.fromEntries(support.map(([path, ref]) => [path, ref.digest])),
    probeModules: [...probeModules],
    rerun,
    mode,
  });
}

function environmentKey(environment: TestEnvironment): Record<string, unknown> {
  const { digest, testCommand, setupCommand, pythonPath, sandbox, limits, runnerVersion } = environment;
  return { digest, testCommand, setupCommand, pythonPath, sandbox, limits, runnerVersion };
}

/** True for files that other test files may depend on: anything that is not a test module itself. */
function isSupport(path: string): boolean {
  return !/(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
}

async function runFile(input: ExecuteFileInput): Promise<FileOutcome> {
  const { services, instance, suite, tree, file, mode, probeModules, owner, signal } = input;
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
    if (result.exit.kind === 'cancelled') signal.throwIfAborted();
    return readRecord({ ...(await readRecordFile({ path: outputFile })), file, result, root });
  } finally {
    await workspace.remove();
  }
}
