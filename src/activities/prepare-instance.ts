import { Context } from '@temporalio/activity';
import type { ArtifactRef } from '../core/artifact.js';
import { BASE } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { travelling } from '../core/travelling.js';
import { SandboxError } from '../errors.js';
import { mapAtOnce } from './at-once.js';
import { materialisedBase } from './base-files.js';
import { openColumn } from './column.js';
import type { PreparedInstance, RunContext } from './contract.js';
import { getInstance, type Prepared, putDocument } from './documents.js';
import { type ExecutedFile, executeUnkept } from './execute-file.js';
import { importsOwnCode } from './import-check.js';
import { openRepository } from './open-repository.js';
import { activityOwner, activitySignal, leaveWhenStopping } from './owner.js';
import { prepareCandidates } from './prepare-candidates.js';
import { relevantTests } from './relevant-tests.js';
import type { Services } from './services.js';

/**
 * Applies the candidates, chooses y_0's test files, and runs them on the unpatched base: nothing is spent on a model
 * before the tests are known to run and to import the repository's own code. The base's outcomes are kept for the
 * forward pass. Throws SandboxError TG-S01, TG-S02, TG-S08 or TG-S10.
 */
export async function prepareInstance({
  services,
  input,
}: {
  services: Services;
  input: RunContext;
}): Promise<PreparedInstance & { readonly prepared: ArtifactRef }> {
  const { store } = services;
  const { settings } = input;
  const instance = await getInstance({ store, ref: input.instance });
  const baseTreeId = instance.repository.treeId;
  const scratch = await openRepository({ services, instance });
  const { candidates, warnings } = await prepareCandidates({ services, instance, scratch, seed: settings.seed });
  Context.current().heartbeat({ phase: 'candidates', done: candidates.length });
  const base = await materialisedBase({ services, instance });
  const usable = candidates.filter((each) => each.kind === 'usable');
  const { testFiles, probeModules, touched } = await relevantTests({
    services,
    instance,
    scratch,
    base,
    candidates: usable,
    limit: settings.maxTestFiles,
  });
  const suite: Suite = {
    schema: 'testgrad.suite/1',
    step: 0,
    edits: [],
    files: {},
    changed: [],
    testFiles: testFiles.map(({ path }) => path),
  };
  const outcomes = usable.length > 0 ? await runBase({ services, input, instance, suite, probeModules }) : [];
  const prepared: Prepared = {
    schema: 'testgrad.prepared/1',
    baseTreeId,
    candidates,
    testFiles,
    probeModules,
    touched,
    originalTests: outcomes.flatMap((file) => file.outcomes.map(({ testId }) => testId)),
    warnings,
  };
  return {
    prepared: await putDocument({ store, value: prepared }),
    candidates: travelling(candidates),
    suite: await putDocument({ store, value: suite }),
    testFiles: suite.testFiles.length,
    tests: prepared.originalTests.length,
    baseTreeId,
    warnings: warnings.slice(0, 50).map((warning) => warning.slice(0, 300)),
  };
}

/** Runs y_0 on the base and refuses a suite that does not run there. */
async function runBase({
  services,
  input,
  instance,
  suite,
  probeModules,
}: {
  services: Services;
  input: RunContext;
  instance: InstanceSpec;
  suite: Suite;
  probeModules: readonly string[];
}): Promise<FileOutcome[]> {
  const signal = activitySignal();
  const owner = activityOwner({ runId: input.runId, services });
  const column = { id: BASE, treeId: instance.repository.treeId, name: BASE };
  const place = await openColumn({ services, instance, column, candidate: null, owner, signal });
  if (place.kind !== 'ready') throw new Error('A base that cannot be set up is refused.');
  const executed: ExecutedFile[] = [];
  const runOne = async (file: string): Promise<ExecutedFile> => {
    leaveWhenStopping(services);
    Context.current().heartbeat({ phase: 'base', file, done: executed.length, total: suite.testFiles.length });
    const one = await executeUnkept({
      services,
      instance,
      suite,
      treeId: column.treeId,
      tree: place.tree,
      image: place.image,
      file,
      rerun: 0,
      mode: 'run',
      probeModules,
      owner,
      signal,
    });
    importsOwnCode({ instance, outcome: one.outcome });
    executed.push(one);
    // Outcomes of a suite that is refused are not kept: what is missing may be there the next time.
    if (executed.some(isHealthy)) await Promise.all(executed.map(({ keep }) => keep()));
    return one;
  };
  const files = await mapAtOnce({ items: suite.testFiles, map: runOne });
  requireHealth({ instance, outcomes: files.map(({ outcome }) => outcome) });
  return Promise.all(files.map(({ keep }) => keep()));
}

/** A file whose tests ran, whatever came of them, shows that the environment can run tests. */
const isHealthy = ({ outcome }: Pick<ExecutedFile, 'outcome'>): boolean => outcome.state === 'ran';

function requireHealth({ instance, outcomes }: { instance: InstanceSpec; outcomes: readonly FileOutcome[] }): void {
  const command = instance.environment.testCommand.join(' ');
  if (outcomes.some((outcome) => isHealthy({ outcome }))) return;
  const [first] = outcomes;
  if (first === undefined || outcomes.every(({ state }) => state === 'empty')) {
    throw new SandboxError({
      code: 'TG-S02',
      what: first === undefined ? 'No test file was found in the repository.' : `No test was collected by: ${command}`,
      meaning: 'Without a test of the project there is nothing to edit. Nothing was spent on the model.',
      fix: 'Name the test files with --test-file, or the command with --test-cmd.',
    });
  }
  throw new SandboxError({
    code: 'TG-S01',
    what: `No test file runs on the unpatched base. ${first.file}: ${first.reason.trim().slice(-800)}`,
    meaning: `The environment of ${instance.environment.python} is not complete, or --test-cmd does not fit. Nothing was spent on the model.`,
    fix: `Run it by hand in the repository until it works: ${command} ${first.file}. Then name the interpreter with --python, the import folder with --python-path.`,
  });
}
