// Runs the small suites under test/fixtures/swebench/suites with several releases of their runners and writes what
// they print, as an evaluation script's log, to test/fixtures/swebench/logs. For maintainers; the logs are committed.
//
//   node scripts/record-harness-logs.mjs WORK_FOLDER
//
// Interpreters are looked for as python3.7 … python3.13 on PATH; what is not there is left out and said.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const suites = join(root, 'test/fixtures/swebench/suites');
const logs = join(root, 'test/fixtures/swebench/logs');
const work = resolve(process.argv[2] ?? '/tmp/harness-logs');
mkdirSync(logs, { recursive: true });
mkdirSync(work, { recursive: true });

function python({ version, packages }) {
  const venv = join(work, `venv-${version}-${packages.join('-').replace(/[^a-z0-9.]+/gi, '-')}`);
  const program = join(venv, 'bin/python');
  if (existsSync(join(venv, 'ready'))) return { program, venv };
  try {
    execFileSync(`python${version}`, ['-m', 'venv', venv], { stdio: 'pipe' });
    if (packages.length > 0) execFileSync(program, ['-m', 'pip', 'install', '-q', ...packages], { stdio: 'pipe' });
    writeFileSync(join(venv, 'ready'), '');
    return { program, venv };
  } catch (error) {
    console.log(`left out: python${version} ${packages.join(' ')} (${String(error.message).split('\n')[0]})`);
    return null;
  }
}

/** The log of a command between the markers, traced by the shell, as in an evaluation script. */
function record({ name, suite, interpreter, command, env = {}, prepare }) {
  if (interpreter === null) return;
  const tree = join(work, 'tree');
  execFileSync('rm', ['-rf', tree]);
  cpSync(join(suites, suite), tree, { recursive: true });
  prepare?.(tree, interpreter);
  const script = [
    'set -uxo pipefail',
    ": '>>>>> Start Test Output'",
    command,
    'CODE=$?',
    ": '>>>>> End Test Output'",
    'echo ">>>>> Test Exit Code: $CODE"',
  ].join('\n');
  const base = {
    PATH: `${interpreter.venv}/bin:/usr/bin:/bin`,
    HOME: work,
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout } = spawnSync('bash', ['-c', `exec bash -c "$0" 2>&1`, script], {
    cwd: tree,
    env: { ...base, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  // latin1 keeps every byte; folders of the machine that recorded are renamed.
  const home = realpathSync(interpreter.program).replace(/\/bin\/[^/]+$/, '');
  const text = stdout
    .toString('latin1')
    .replaceAll(interpreter.venv, '/opt/testbed')
    .replaceAll(home, '/usr')
    .replaceAll(tree, '/testbed')
    .replaceAll(work, '/root');
  writeFileSync(join(logs, `${name}.log`), Buffer.from(text, 'latin1'));
  console.log(`${name}.log ${text.length}`);
}

const PYTEST = [
  ['3.7', ['pytest==4.6.11', 'attrs<20']],
  ['3.8', ['pytest==5.4.3']],
  ['3.9', ['pytest==6.2.5']],
  ['3.11', ['pytest==7.4.4']],
  ['3.11', ['pytest==8.4.2']],
  ['3.13', ['pytest==9.0.1']],
];
const OPTIONS = {
  plain: '-rA --tb=short --continue-on-collection-errors',
  classic: '-rA -vv -o console_output_style=classic --tb=no -p no:cacheprovider',
  colour: '-rA --color=yes --tb=line --continue-on-collection-errors',
  quiet: '--no-header -rA -q --tb=no -s',
  stop: '-rA -x --tb=line',
};
for (const [version, packages] of PYTEST) {
  const interpreter = python({ version, packages });
  const release = packages[0].replace('pytest==', '');
  for (const [name, options] of Object.entries(OPTIONS)) {
    if (name === 'quiet' && version < '3.9' && packages[0].includes('==4')) continue;
    const files = name === 'quiet' || name === 'classic' ? 'tests/test_words.py' : 'tests';
    record({
      name: `pytest-${release}-${name}`,
      suite: 'pytest',
      interpreter,
      command: `python -m pytest ${options} ${files}`,
    });
  }
}
for (const version of ['3.7', '3.8', '3.9', '3.10', '3.11', '3.12', '3.13']) {
  const interpreter = python({ version, packages: [] });
  const command = 'python -m unittest -v shop.tests';
  record({ name: `unittest-${version}`, suite: 'unittest', interpreter, command });
  record({ name: `unittest-${version}-buffer`, suite: 'unittest', interpreter, command: `${command} -b -f` });
}
for (const [version, release] of [
  ['3.7', '2.2.28'],
  ['3.8', '3.2.25'],
  ['3.9', '4.2.16'],
  ['3.11', '5.2.8'],
]) {
  const packages = [`django==${release}`, ...(version === '3.9' || version === '3.8' ? ['tzdata'] : [])];
  const interpreter = python({ version, packages });
  for (const [name, options] of Object.entries({ plain: '', parallel: '--parallel 2', failfast: '--failfast' })) {
    const command = `python manage.py test --verbosity 2 ${options} shop`;
    record({ name: `django-${release}-${name}`, suite: 'django', interpreter, command });
  }
}
for (const release of ['1.9', '1.12']) {
  const interpreter = python({ version: '3.9', packages: [`sympy==${release}`, 'mpmath==1.3.0'] });
  const into = (_tree, { venv }) =>
    cpSync(join(suites, 'sympy/test_own.py'), join(venv, 'lib/python3.9/site-packages/sympy/core/tests/test_own.py'));
  for (const colours of ['False', 'True']) {
    const call = `import sympy; sympy.test('sympy/core/tests/test_own.py', verbose=True, colors=${colours}, force_colors=${colours})`;
    const command = `python -c "${call}"`;
    record({
      name: `sympy-${release}-${colours === 'True' ? 'colour' : 'plain'}`,
      suite: 'sympy',
      interpreter,
      command,
      prepare: into,
    });
  }
}
