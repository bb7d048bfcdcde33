import { describe, expect, it } from 'vitest';
import type { TestEnvironment } from '../../src/core/instance.js';
import { baseEnvironment, planFile } from '../../src/runners/plan.js';

const environment: TestEnvironment = {
  python: '/venv/bin/python',
  pythonVersion: '3.11.7',
  digest: '0',
  testCommand: ['python', '-W', 'error', '-m', 'pytest', '-q', '--strict-markers'],
  runner: 'pytest',
  runnerVersion: 'pytest 8.4.2',
  setupCommand: [],
  pythonPath: ['src', 'lib/python'],
  sandbox: 'bubblewrap',
  limits: { timeoutMs: 1, memoryBytes: 1, maxProcesses: 1 },
};
const common = {
  environment,
  file: 'tests/test_a.py',
  mode: 'run',
  root: '/repo',
  recorderDir: '/recorder',
  outputFile: '/scratch/record.jsonl',
  probeModules: ['pkg', 'pkg.sub'],
  seed: 3,
} as const;

describe('planFile', () => {
  it('keeps the user’s options before its own, and the file last', () => {
    const { argv } = planFile(common);
    expect(argv.slice(0, 7)).toEqual(['/venv/bin/python', ...environment.testCommand.slice(1)]);
    expect(argv.join(' ')).toContain('-p testgrad_recorder');
    expect(argv.at(-1)).toBe('tests/test_a.py');
    expect(planFile({ ...common, mode: 'collect' }).argv).toContain('--collect-only');
  });

  it('names tests in place of the file', () => {
    const tests = ['tests/test_a.py::test_x[a b]', 'tests/test_a.py::test_y'];
    expect(planFile({ ...common, tests }).argv.slice(-2)).toEqual(tests);
    expect(planFile({ ...common, tests }).argv).not.toContain('tests/test_a.py');
  });

  it('is a function of its arguments alone', () => {
    process.env.PYTHONPATH = '/of/the/worker';
    const { env } = planFile(common);
    delete process.env.PYTHONPATH;
    expect(env).toEqual({
      PATH: '/venv/bin:/usr/local/bin:/usr/bin:/bin',
      HOME: '/home/testgrad',
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      PYTHONHASHSEED: '0',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONNOUSERSITE: '1',
      PY_COLORS: '0',
      PYTHONPATH: '/recorder:/repo/src:/repo/lib/python',
      TESTGRAD_RECORD: '/scratch/record.jsonl',
      TESTGRAD_ROOT: '/repo',
      TESTGRAD_PROBES: 'pkg,pkg.sub',
      TESTGRAD_SEED: '3',
    });
  });

  it('gives a plain subprocess a home and a temporary folder of its own', () => {
    const { env } = planFile({ ...common, environment: { ...environment, sandbox: 'none' } });
    expect(env).toMatchObject({ HOME: '/scratch/home', TMPDIR: '/scratch/tmp' });
  });

  it('turns a unittest command into the recording runner', () => {
    const unittest = (testCommand: readonly string[], file = 'tests/test_a.py') =>
      planFile({ ...common, file, environment: { ...environment, runner: 'unittest', testCommand } }).argv.slice(1);
    const start = ['-m', 'testgrad_unittest', '--file=tests/test_a.py'];
    expect(unittest(['python', '-m', 'unittest', '-b'])).toEqual([...start, '--buffer']);
    expect(unittest(['python', '-Wd', '-m', 'unittest', 'discover', '-s', './tests/', '-k', 'x', '-k', 'y'])).toEqual([
      '-Wd',
      ...start,
      '--top=tests',
      '--pattern=x',
      '--pattern=y',
    ]);
    expect(unittest(['python', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'])).toEqual(start);
    // A start that is a module's name, and a file outside of the start: named from the root.
    expect(unittest(['python', '-m', 'unittest', 'discover', '-s', 'pkg.tests'])).toEqual(start);
    expect(unittest(['python', '-m', 'unittest', 'discover', '-s', 'test'])).toEqual(start);
  });
});

describe('baseEnvironment', () => {
  it('knows nothing of the recorder', () => {
    const env = baseEnvironment({ environment, root: '/repo' });
    expect(env.PYTHONPATH).toBe('/repo/src:/repo/lib/python');
    expect(Object.keys(env).filter((name) => name.startsWith('TESTGRAD'))).toEqual([]);
    expect(baseEnvironment({ environment: { ...environment, pythonPath: [] }, root: '/repo' })).not.toHaveProperty(
      'PYTHONPATH',
    );
  });
});
