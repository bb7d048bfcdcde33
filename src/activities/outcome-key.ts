import { contentKey } from '../artifacts/content-key.js';
import type { TestEnvironment } from '../core/instance.js';
import { RECORDER_VERSION } from '../runners/plan.js';
import type { FileRun } from './run-file.js';
import { suiteDependencies } from './suite-dependencies.js';

/**
 * Key of a test file's outcome on a column. It holds all that can change the outcome: environment, tree, the bytes of
 * the suite's files that it depends on, limits, the recorder's version and the number of the rerun.
 */
export async function outcomeKey({
  services,
  instance,
  suite,
  treeId,
  file,
  rerun,
  mode,
  probeModules,
}: FileRun): Promise<string> {
  const { environment, repository } = instance;
  const paths = await suiteDependencies({ services, instance, suite, file });
  return contentKey({
    recorder: RECORDER_VERSION,
    environment: environmentKey(environment),
    path: repository.path,
    treeId,
    file,
    files: Object.fromEntries(paths.map((path) => [path, suite.files[path]?.digest])),
    probeModules: [...probeModules],
    rerun,
    mode,
  });
}

function environmentKey(environment: TestEnvironment): Record<string, unknown> {
  const { digest, testCommand, variables = {}, setupCommand, pythonPath, sandbox, limits, runnerVersion } = environment;
  return { digest, testCommand, variables, setupCommand, pythonPath, sandbox, limits, runnerVersion };
}
