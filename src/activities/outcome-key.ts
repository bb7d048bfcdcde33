import { contentKey } from '../artifacts/content-key.js';
import type { TestEnvironment } from '../core/instance.js';
import { RECORDER_VERSION } from '../runners/plan.js';
import type { FileRun } from './run-file.js';

/**
 * Key of a test file's outcome on a column. It holds all that can change the outcome: environment, tree, the file's
 * bytes, the support files of the suite, limits, the recorder's version and the number of the rerun.
 */
export function outcomeKey({
  instance,
  suite,
  treeId,
  file,
  rerun,
  mode,
  probeModules,
}: FileRun & { readonly rerun: number }): string {
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
