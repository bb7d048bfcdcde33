import { expect, test } from 'vitest';
import { parseTestCommand } from '../../src/runners/test-command.js';
import { toxCommand } from '../../src/runners/tox.js';

test('sphinx’s tox runs pytest with its options and variables', () => {
  const toxIni = `[tox]
commands = pytest of another section

[testenv]
usedevelop = True
description =
    py{39,310}: Run unit tests against {envname}.
setenv =
    PYTHONWARNINGS = error
    PYTEST_ADDOPTS = {env:PYTEST_ADDOPTS:} --color yes
commands=
    python -X dev -X warn_default_encoding -m pytest --durations 25 {posargs}

[testenv:docs]
commands = sphinx-build
`;
  const found = toxCommand({ toxIni });
  expect(found).toEqual({
    command: 'python -X dev -X warn_default_encoding -m pytest --durations 25',
    variables: { PYTHONWARNINGS: 'error', PYTEST_ADDOPTS: '--color yes' },
  });
  const { testCommand } = parseTestCommand({ command: found?.command ?? '', python: '/venv/bin/python' });
  expect(testCommand.slice(-3)).toEqual(['pytest', '--durations', '25']);
});

test.for([
  [
    'older files',
    '[testenv]\nsetenv =\n    A = b,\\\n        c\n\n    # why\n    E = {envname}\ncommands=\n    pytest -rA --durations 25 {posargs:tests}\n',
    'pytest -rA --durations 25',
  ],
  ['commands of some environments only', '[testenv]\ncommands =\n    py39: pytest a\n    pytest b\n', 'pytest b'],
  ['two commands', '[testenv]\ncommands =\n    pytest a\n    pytest b\n', null],
  ['none', '[testenv]\ncommands = make test\n', null],
  ['no tox.ini', '', null],
] as const)('%s', ([, toxIni, command]) => {
  expect(toxCommand({ toxIni })?.command ?? null).toBe(command);
});
