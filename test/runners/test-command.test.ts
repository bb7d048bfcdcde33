import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { splitWords } from '../../src/runners/shell-words.js';
import { parseTestCommand } from '../../src/runners/test-command.js';

const PYTHON = '/venv/bin/python';
const parse = (command: string) => parseTestCommand({ command, python: PYTHON });
const options = (command: string) => parse(command).testCommand.slice(3);

describe('splitWords', () => {
  it('quotes as a POSIX shell does', () => {
    const command = `a  'b c' "d \\"e\\" \\\\ \\n" f\\ g h'i'"j" '' "" '$x;|' "it's"`;
    const words = ['a', 'b c', 'd "e" \\ \\n', 'f g', 'hij', '', '', '$x;|', "it's"];
    expect(splitWords(command)).toEqual(words);
  });

  it('gives back any words that were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
        expect(splitWords(quoted.join(' '))).toEqual(words);
      }),
    );
  });

  it.each([';', '|', '&', '>', '<', '$', '(', ')', '`', '\n'])('refuses %j outside of quotes', (char) => {
    const error = catchError(() => splitWords(`pytest a${char}b`));
    expect(error).toMatchObject({ code: 'TG-I14', what: expect.stringContaining('only a shell understands') });
    expect(splitWords(`pytest 'a${char}b'`)).toEqual(['pytest', `a${char}b`]);
    expect(splitWords(`pytest a\\${char}b`)).toEqual(['pytest', `a${char}b`]);
  });

  it('refuses an expansion inside double quotes, and what is not closed', () => {
    for (const command of ['pytest "$HOME"', 'pytest "`id`"', 'pytest "a', "pytest 'a", 'pytest \\']) {
      expect(catchError(() => splitWords(command))).toMatchObject({ code: 'TG-I14' });
    }
  });
});

describe('parseTestCommand', () => {
  it.each([
    ['pytest', [PYTHON, '-m', 'pytest'], 'pytest'],
    ['py.test -q', [PYTHON, '-m', 'pytest', '-q'], 'pytest'],
    ['python -m pytest -q', [PYTHON, '-m', 'pytest', '-q'], 'pytest'],
    ['python3.11 -W error -Xdev -m pytest', [PYTHON, '-W', 'error', '-Xdev', '-m', 'pytest'], 'pytest'],
    [`${PYTHON} -m pytest {tests}`, [PYTHON, '-m', 'pytest'], 'pytest'],
    ['python -m unittest', [PYTHON, '-m', 'unittest'], 'unittest'],
    ['./tests/runtests.py --settings=test_sqlite a', [PYTHON, 'tests/runtests.py', '--settings=test_sqlite'], 'django'],
    ['python manage.py test shop -v 2', [PYTHON, 'manage.py', 'test', '-v', '2'], 'django'],
    ['bin/test -C sympy/core', [PYTHON, 'bin/test', '-C'], 'sympy'],
  ])('%s', (command, testCommand, runner) => {
    expect(parse(command)).toMatchObject({ testCommand, runner });
  });

  it('takes the variables that a command sets, but for those that the sandbox needs', () => {
    const words = `DEBUG=1 PYTHONWARNINGS='ignore::UserWarning,error' pytest -q`;
    expect(parse(words)).toMatchObject({
      testCommand: [PYTHON, '-m', 'pytest', '-q'],
      variables: { DEBUG: '1', PYTHONWARNINGS: 'ignore::UserWarning,error' },
    });
    expect(parse('LANG=C bin/test')).toMatchObject({ runner: 'sympy', variables: { LANG: 'C' } });
    expect(parse('pytest').variables).toEqual({});
    for (const name of ['PYTHONPATH', 'PYTHONHASHSEED', 'HOME', 'TESTGRAD_RECORD']) {
      expect(catchError(() => parse(`${name}=x pytest`))).toMatchObject({
        code: 'TG-I14',
        what: expect.stringContaining(name),
      });
    }
  });

  it('leaves out tests, whatever stands before them', () => {
    const command = 'pytest tests -q tests/unit -k "a and not b" -m slow --tb short test_x.py tests/test_a.py::test_b';
    expect(options(command)).toEqual(['-q', '-k', 'a and not b', '-m', 'slow', '--tb', 'short']);
    expect(parse(command).leftOut).toEqual(['tests', 'tests/unit', 'test_x.py', 'tests/test_a.py::test_b']);
    expect(options('pytest --deselect tests/test_a.py::test_b --ignore tests/slow -p no:doctest tests/')).toEqual([
      '--deselect',
      'tests/test_a.py::test_b',
      '--ignore',
      'tests/slow',
      '-p',
      'no:doctest',
    ]);
  });

  it('keeps a value behind an option of a plugin, unless it is a test', () => {
    expect(options('pytest --ds project.settings --reruns 3 tests')).toEqual([
      '--ds',
      'project.settings',
      '--reruns',
      '3',
    ]);
    expect(options('pytest --runslow tests/unit')).toEqual(['--runslow']);
    expect(options('pytest --runslow --timeout=60 src/pkg/test_a.py')).toEqual(['--runslow', '--timeout=60']);
  });

  it('leaves out what would keep the tests from running or wait for a person', () => {
    expect(options('pytest --collect-only --co --pdb -x --exitfirst --setup-plan --version -v')).toEqual(['-v']);
  });

  it('keeps of unittest what names modules and chooses tests', () => {
    expect(options('python -m unittest discover -v -s tests -t . -p "test*.py" -k fast')).toEqual([
      'discover',
      '-s',
      'tests',
      '-t',
      '.',
      '-k',
      'fast',
    ]);
    expect(options('python -m unittest discover tests "test*.py" .')).toEqual(['discover', '-s', 'tests', '-t', '.']);
    expect(options('python -m unittest -b tests.test_a tests.test_b.Class')).toEqual(['-b']);
    expect(options('python -m unittest discover --start-directory=tests -f')).toEqual(['discover', '-s', 'tests']);
  });

  it.each([
    [''],
    ['   '],
    ['tox'],
    ['uv run pytest'],
    ['make test'],
    ['python setup.py test'],
    ['python manage.py migrate'],
    ['python -m nose'],
    ['python -I -m pytest'],
    ['python -sE -m pytest'],
    ['python file.py -m pytest'],
    ['DEBUG=1'],
    ['/usr/bin/python3 -m pytest'],
    ['pytest --tests={tests}'],
    ['pytest && rm -rf /'],
  ])('refuses %j', (command) => {
    const error = catchError(() => parse(command));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'TG-I14', fix: expect.stringMatching(/python -m pytest/) });
  });
});

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
