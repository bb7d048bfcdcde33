import type { TestRunner } from './instance.js';

/** Directories that hold tests wherever they are. */
const TEST_DIRECTORY =
  /^(tests|(unit|integration|functional|acceptance|regression|system|e2e)([-_]tests?|tests)|test[-_]?data)$/i;

/** Directories of sources: a `test` directory straight below them is one of tests, not a package's own. */
const SOURCE_CONTAINER = /^(src|lib|python)$/i;

const TEST_FILE = /^(test_.*|.*_test|tests|conftest)\.py$/i;

/** Names of the files that a runner takes tests from. */
const TEST_MODULE: Readonly<Record<TestRunner, RegExp>> = {
  pytest: /^(test_.*|.*_test|tests)\.py$/,
  unittest: /^test.*\.py$/,
  django: /^test.*\.py$/,
  sympy: /^test_.*\.py$/,
};

const RUNNER_CONFIG = /^(\.?pytest\.(ini|toml)|tox\.(ini|toml)|setup\.cfg|pyproject\.toml|noxfile\.py)$/;

/**
 * True for files that belong to the repository's tests: test modules, their support and their data.
 *
 * `path` is relative to the repository's root, with forward slashes. True for
 * - `test_*.py`, `*_test.py`, `tests.py` and `conftest.py` anywhere, and `test.py` at the root;
 * - everything below a directory `tests` (also `unit_tests`, `integration-tests`, …, `testdata`) at any depth;
 * - everything below a directory `test` or `testing` at the root, or a `test` straight below `src`, `lib` or `python`.
 *
 * A `test` or `testing` directory inside a package does not make a test by itself: `django/test/client.py`,
 * `numpy/testing/_private/utils.py` and `twisted/test/proto_helpers.py` are product code, and a candidate's change to
 * them must not be put back. In such directories the file's own name decides. `pkg/testing.py` is product code too.
 * The price: a module named `tests.py` that is product code (Jinja2 has one) counts as a test.
 */
export function isTestPath(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const directories = segments.slice(0, -1);
  const name = segments.at(-1) ?? '';
  if (TEST_FILE.test(name) || (directories.length === 0 && name === 'test.py')) {
    return true;
  }
  if (directories.some((directory) => TEST_DIRECTORY.test(directory))) {
    return true;
  }
  const top = directories.findIndex((directory) => !SOURCE_CONTAINER.test(directory));
  const first = directories[top] ?? '';
  return /^test$/i.test(first) || (top === 0 && /^testing$/i.test(first));
}

/** True for files of the repository's tests from which the runner takes tests, not support that they import. */
export function isTestModule({ path, runner }: { path: string; runner: TestRunner }): boolean {
  return isTestPath(path) && TEST_MODULE[runner].test(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * True for files that tell the test runner what to run and how: `pytest.ini`, `tox.ini`, `setup.cfg`,
 * `pyproject.toml`, `noxfile.py` and their variants, at any depth.
 *
 * `conftest.py` is not among them: it is test support ({@link isTestPath}).
 */
export function isRunnerConfig(path: string): boolean {
  return RUNNER_CONFIG.test(path.slice(path.lastIndexOf('/') + 1));
}
