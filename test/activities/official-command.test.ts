import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { officialCommand } from '../../src/activities/official-command.js';
import { parseTestCommand } from '../../src/runners/test-command.js';
import type { SelectionRow } from '../../src/swebench/datasets/selection-row.js';
import { PROJECTS, versionsOf } from '../../src/swebench/projects.js';

const TOX = `[tox]
envlist = py39
[testenv]
setenv =
    PYTHONWARNINGS = error, don't ask
    PYTHONPATH = elsewhere
    PYTEST_ADDOPTS = {env:PYTEST_ADDOPTS:} --color yes
commands =
    python -X dev -m pytest -rA --durations 25 {posargs}
`;
const ROW: SelectionRow = {
  schema: 'testgrad.selection-row/1',
  instanceId: 'a__b-1',
  shape: 'v4',
  repo: 'a/b',
  baseCommit: '0123456',
  issue: '',
  version: null,
  environmentSetupCommit: null,
  createdAt: null,
  language: null,
  image: null,
  imageTag: null,
  logParser: null,
  evalType: null,
  testCommands: [],
};
let dir = '';
const trees = new Map<string, { gitDir: string; treeId: string }>();

/** A repository whose one commit has this tox.ini, or none. */
async function repository(name: string, toxIni: string | null) {
  const at = join(dir, name);
  await mkdir(at);
  if (toxIni !== null) await writeFile(join(at, 'tox.ini'), toxIni);
  const git = (...args: readonly string[]) => execa('git', ['-C', at, ...args]);
  await git('init', '--quiet');
  await git('add', '--all');
  const { stdout: treeId } = await git('write-tree');
  trees.set(name, { gitDir: join(at, '.git'), treeId });
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-command-'));
  await repository('tox', TOX);
  await repository('none', null);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const commandOf = (row: Partial<SelectionRow>, tree = 'none') => {
  const scratch = trees.get(tree);
  if (scratch === undefined) throw new Error(tree);
  return officialCommand({ row: { ...ROW, ...row }, scratch });
};

test('every version of every project has a command that can be used', async () => {
  for (const repo of PROJECTS) {
    for (const version of versionsOf(repo)) {
      const command = await commandOf({ repo, version }, 'tox');
      const { runner } = parseTestCommand({ command, python: '/usr/bin/python3' });
      expect(runner).toBe(repo === 'django/django' ? 'django' : repo === 'sympy/sympy' ? 'sympy' : 'pytest');
    }
  }
});

test('for tox it is what tox would start, with the variables that it sets', async () => {
  const command = await commandOf({ repo: 'sphinx-doc/sphinx', version: '3.2' }, 'tox');
  expect(parseTestCommand({ command, python: '/py' })).toEqual({
    testCommand: ['/py', '-X', 'dev', '-m', 'pytest', '-rA', '--durations', '25'],
    runner: 'pytest',
    variables: { PYTHONWARNINGS: "error, don't ask", PYTEST_ADDOPTS: '--color yes' },
    leftOut: [],
  });
  expect(await commandOf({ repo: 'sphinx-doc/sphinx', version: '3.2' })).toBe('pytest');
});

test('a project that the harness does not know is tested as its row says', async () => {
  expect(await commandOf({ version: '1.0', testCommands: ['make', 'python -m unittest'] })).toBe('python -m unittest');
  expect(await commandOf({})).toBe('pytest');
});
