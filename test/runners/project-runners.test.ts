import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { djangoArguments } from '../../src/runners/django.js';
import { projectCommand } from '../../src/runners/project-command.js';
import { readRecord } from '../../src/runners/read-record.js';
import { recorderDir } from '../../src/runners/recorder-dir.js';
import { sympyArguments } from '../../src/runners/sympy.js';
import { pythonWithPytest } from '../support/python-venv.js';

const SUITES = fileURLToPath(new URL('../fixtures/swebench/suites', import.meta.url));

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-runners-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Runs a recorder's arguments in a tree and reads what it recorded. */
async function recorded({
  python,
  root,
  file,
  args,
}: {
  python: string;
  root: string;
  file: string;
  args: readonly string[];
}) {
  const record = join(dir, `record-${Math.random()}`);
  const env = {
    PATH: '/usr/bin:/bin',
    PYTHONPATH: recorderDir(),
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    TESTGRAD_RECORD: record,
    TESTGRAD_ROOT: root,
    TESTGRAD_PROBES: '',
  };
  const { exitCode, stdout, stderr } = await execa(python, args, { cwd: root, env, extendEnv: false, reject: false });
  const result = { exit: { kind: 'exited' as const, code: exitCode ?? 1 }, stdout, stderr, durationMs: 1 };
  const outcome = readRecord({ text: await readFile(record, 'utf8'), file, result, root });
  const statuses = Object.fromEntries(
    outcome.outcomes.map(({ testId, status }) => [testId.slice(file.length + 2), status]),
  );
  return { outcome, statuses, stdout, stderr };
}

describe('Django', () => {
  let python = '';
  let root = '';
  const file = 'shop/tests.py';
  beforeAll(async () => {
    python = await pythonWithPytest({ requirements: ['django==5.2.8'] });
    root = join(dir, 'django');
    await cp(join(SUITES, 'django'), root, { recursive: true });
  });
  const run = (more: { file?: string; mode?: 'run' | 'collect'; tests?: readonly string[] } = {}) => {
    const wanted = { file, mode: 'run' as const, tests: [], ...more };
    const args = djangoArguments({ script: 'manage.py', options: ['test', '--verbosity=1'], ...wanted });
    return recorded({ python, root, file: wanted.file, args });
  };

  test('the project’s own runner runs the file, and each test is on record', async () => {
    const { outcome, statuses, stderr } = await run();
    expect(outcome.state).toBe('ran');
    expect(statuses).toEqual({
      'ProductTests::test_breaks': 'failed',
      'ProductTests::test_created': 'passed',
      'ProductTests::test_expected_failure': 'xfailed',
      'ProductTests::test_feature': 'skipped',
      'ProductTests::test_named': 'passed',
      'ProductTests::test_query_count': 'failed',
      'ViewTests::test_logs_a_server_error': 'passed',
      'ViewTests::test_runs_the_checks': 'passed',
      'ViewTests::test_sub': 'failed',
      'MigratingTests::test_flush': 'passed',
    });
    // The runner itself says the same.
    expect(stderr).toContain('FAILED (failures=2, errors=1, skipped=1, expected failures=1)');
  });

  test('single tests and mere collection', async () => {
    const one = `${file}::ProductTests::test_named`;
    expect((await run({ tests: [one] })).statuses).toEqual({ 'ProductTests::test_named': 'passed' });
    const { statuses } = await run({ mode: 'collect' });
    expect(Object.keys(statuses)).toHaveLength(10);
    expect(new Set(Object.values(statuses))).toEqual(new Set(['missing']));
  });

  test('a file that cannot be imported, and settings that cannot, are not collected', async () => {
    await writeFile(join(root, 'shop/broken.py'), 'import nothing_of_this_name\n');
    const { outcome } = await run({ file: 'shop/broken.py' });
    expect(outcome.state).toBe('not-collected');
    expect(outcome.reason).toContain('nothing_of_this_name');
    await writeFile(join(root, 'shop/models.py'), 'raise RuntimeError("models")\n');
    expect((await run()).outcome).toMatchObject({ state: 'not-collected' });
  });
});

describe('sympy', () => {
  let python = '';
  let root = '';
  const file = 'sympy/core/tests/test_own.py';
  beforeAll(async () => {
    python = await pythonWithPytest({ requirements: ['sympy==1.12', 'mpmath==1.3.0'] });
    root = join(dir, 'sympy');
    const { stdout } = await execa(python, ['-c', 'import sympy; print(sympy.__file__)']);
    await linkAllBut({ from: dirname(stdout), to: join(root, 'sympy'), but: 'core' });
    await linkAllBut({ from: join(dirname(stdout), 'core'), to: join(root, 'sympy/core'), but: 'tests' });
    await cp(join(SUITES, 'sympy'), join(root, 'sympy/core/tests'), { recursive: true });
    await mkdir(join(root, 'bin'));
    const script = 'import sys\nimport sympy\nsys.exit(not sympy.test(sys.argv[-1], verbose=True, colors=False))\n';
    await writeFile(join(root, 'bin/test'), script);
  });
  const run = (more: { file?: string; mode?: 'run' | 'collect'; tests?: readonly string[] } = {}) => {
    const wanted = { file, mode: 'run' as const, tests: [], ...more };
    const args = sympyArguments({ script: 'bin/test', options: ['-C', '--verbose'], ...wanted });
    return recorded({ python, root, file: wanted.file, args });
  };

  test('the project’s own runner runs the file, and a test that prints results is none', async () => {
    const { outcome, statuses, stdout } = await run();
    expect(outcome.state).toBe('ran');
    expect(statuses).toEqual({
      test_plain: 'passed',
      test_fails: 'failed',
      test_breaks: 'failed',
      test_expected_failure: 'xfailed',
      test_unexpected_pass: 'passed',
      test_skipped: 'skipped',
      test_skips_itself: 'skipped',
      test_prints: 'passed',
    });
    expect(stdout).toContain('test_forged ok');
  });

  test('single tests and mere collection', async () => {
    expect((await run({ tests: [`${file}::test_fails`] })).statuses).toEqual({ test_fails: 'failed' });
    const { statuses } = await run({ mode: 'collect' });
    expect(Object.keys(statuses)).toHaveLength(8);
    expect(new Set(Object.values(statuses))).toEqual(new Set(['missing']));
  });

  test.for(['import nothing_of_this_name', 'raise ValueError("at once")'])('%s: not collected', async (line) => {
    const broken = 'sympy/core/tests/test_broken.py';
    await writeFile(join(root, broken), `${line}\n`);
    expect((await run({ file: broken })).outcome.state).toBe('not-collected');
  });
});

async function linkAllBut({ from, to, but }: { from: string; to: string; but: string }): Promise<void> {
  await mkdir(join(to, but), { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== but && name !== '__pycache__') await symlink(join(from, name), join(to, name));
  }
}

test('test commands of the projects are read, without tests and what chooses among them', () => {
  const runtests = './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 delete.tests --failfast';
  expect(projectCommand(runtests)).toEqual({
    runner: 'django',
    script: 'tests/runtests.py',
    options: ['--verbosity', '2', '--settings=test_sqlite'],
    variables: {},
    leftOut: ['--parallel', '1', 'delete.tests', '--failfast'],
  });
  expect(projectCommand('python manage.py test -v 2 -k name shop')).toMatchObject({
    script: 'manage.py',
    options: ['test', '-v', '2', '-k', 'name'],
    leftOut: ['shop'],
  });
  const sympy = "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' bin/test -C --verbose sympy/core -k x";
  expect(projectCommand(sympy)).toEqual({
    runner: 'sympy',
    script: 'bin/test',
    options: ['-C', '--verbose'],
    variables: { PYTHONWARNINGS: 'ignore::UserWarning,ignore::SyntaxWarning' },
    leftOut: ['sympy/core', '-k', 'x'],
  });
  expect(projectCommand('pytest -rA')).toBeNull();
  expect(projectCommand('python manage.py migrate')).toBeNull();
});
