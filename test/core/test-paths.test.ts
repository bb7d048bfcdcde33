import { describe, expect, it } from 'vitest';
import { isRunnerConfig, isTestModule, isTestPath } from '../../src/core/test-paths.js';

describe('isTestPath', () => {
  it.each([
    'tests/forms/helpers.py',
    'tests/roots/test-basic/conf.py',
    'lib/matplotlib/tests/baseline_images/x.png',
    'sympy/core/tests/test_basic.py',
    'test/support.py',
    'src/test/support.py',
    'Lib/test/support/__init__.py',
    'testing/python/collect.py',
    'Tests/helper.py',
    'test_requests.py',
    'test.py',
    'polls/tests.py',
    'pkg/foo_test.py',
    'conftest.py',
    'pkg/conftest.py',
    'django/test/test_x.py',
    'numpy/testing/tests/test_utils.py',
    'integration-tests/run.py',
    'test-data/unit/check-classes.test',
  ])('%s belongs to the tests', (path) => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each([
    'src/pkg/testing.py',
    'flask/testing.py',
    'django/test/client.py',
    'django/core/management/commands/test.py',
    'numpy/testing/_private/utils.py',
    'twisted/test/proto_helpers.py',
    'src/_pytest/pytester.py',
    'pkg/contest.py',
    'pkg/latest_tests_info.txt',
    'pkg/protest.py',
    'src/testing/api.py',
    'Lib/unittest/case.py',
    'docs/testing.rst',
    'tests',
    '',
  ])('%s does not', (path) => {
    expect(isTestPath(path)).toBe(false);
  });
});

describe('isTestModule', () => {
  it.each([
    ['tests/test_a.py', true, true],
    ['polls/tests.py', true, true],
    ['pkg/a_test.py', true, false],
    ['tests/testcases.py', false, true],
    ['tests/helpers.py', false, false],
    ['tests/__init__.py', false, false],
    ['tests/conftest.py', false, false],
    ['src/pkg/testing.py', false, false],
  ])('%s: taken by pytest %s, by unittest %s', (path, pytest, unittest) => {
    expect(isTestModule({ path, runner: 'pytest' })).toBe(pytest);
    expect(isTestModule({ path, runner: 'unittest' })).toBe(unittest);
  });
});

describe('isRunnerConfig', () => {
  it.each(['pytest.ini', '.pytest.ini', 'tox.ini', 'setup.cfg', 'pyproject.toml', 'noxfile.py', 'packages/a/tox.ini'])(
    '%s configures the runner',
    (path) => {
      expect(isRunnerConfig(path)).toBe(true);
    },
  );

  it.each(['conftest.py', 'setup.py', 'pkg/pytest_ini.py', 'mytox.ini', 'pyproject.toml.jinja'])(
    '%s does not',
    (path) => {
      expect(isRunnerConfig(path)).toBe(false);
    },
  );
});
