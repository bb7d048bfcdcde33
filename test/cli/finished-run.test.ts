import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileStore } from '../../src/artifacts/file-store.js';
import { putJson } from '../../src/artifacts/values.js';
import { buildInstance } from '../../src/cli/inputs/build-instance.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { optionsOf } from '../../src/cli/options.js';
import { runIdOf } from '../../src/cli/run-identity.js';
import { rememberRun } from '../../src/cli/run-index.js';
import { runSettings } from '../../src/cli/run-settings.js';
import type { Decision } from '../../src/core/decision.js';
import type { Matrix } from '../../src/core/matrix.js';
import { writeRunFolder } from '../../src/report/run-folder.js';
import { decision as fixture, row, SUITE, usable } from '../report/fixture.js';
import { QUIET_TERMINAL } from '../support/invocation.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { runCli } from './run-cli.js';
import { CLAMP, clampPatch, type SampleRepository, sampleRepository } from './sample-repository.js';

const TEST_ID = 'tests/test_clamp.py::test_low';
const TEST_BASE = 'from shop.clamp import clamp\n\n\ndef test_high():\n    assert clamp(5, 0, 3) == 3\n';
const TEST_AFTER = `${TEST_BASE}\n\ndef test_low():\n    assert clamp(-5, -2, 3) == -2\n`;
const FIXED = CLAMP.replace('return min(value, high)', 'return max(low, min(value, high))');

let repo: SampleRepository;
let state: string;
let runId: string;
let selectArgs: string[];

/** A decision over two candidates with everything in store and run folder that a finished run leaves. */
async function finish(changes: Partial<Decision> = {}): Promise<void> {
  const flags = {
    issue: join(repo.home, 'issue.md'),
    patch: [join(repo.home, 'good.diff'), join(repo.home, 'partial.diff')],
    model: 'm',
    python: await pythonWithPytest(),
    sandbox: 'none',
  };
  const invocation = {
    values: readOptionValues({ names: optionsOf('select').map(({ name }) => name), flags, env: {} }),
    argument: undefined,
    env: {},
    cwd: repo.dir,
    terminal: QUIET_TERMINAL,
  };
  const store = createFileStore({ dir: join(state, 'store') });
  const { instance, instanceRef } = await buildInstance({ invocation, home: state, store, kind: 'select' });
  const settings = runSettings({ kind: 'select', values: invocation.values });
  runId = runIdOf({ kind: 'select', instance: instanceRef, settings });
  const matrix: Matrix = {
    schema: 'testgrad.matrix/1',
    step: 1,
    candidates: ['c1', 'c2'],
    rows: [
      row({
        testId: TEST_ID,
        statuses: ['passed', 'failed'],
        base: 'failed',
        origin: 'created',
        step: 1,
        judged: 'issue',
      }),
    ],
  };
  const decision = fixture({
    runId,
    instance: instance.name,
    candidates: [usable({ id: 'c1', agent: 'good' }), usable({ id: 'c2', agent: 'partial' })],
    selected: 'good',
    selectedId: 'c1',
    leaders: ['c1'],
    decidingTests: [{ testId: TEST_ID, origin: 'created', step: 1, class: 'issue', quote: 'clamp ignores low' }],
    reason: 'Only \u001b[2Jgood keeps a negative low.',
    artifacts: {
      instance: instanceRef.digest,
      suite: (await putJson({ store, value: SUITE })).digest,
      matrix: (await putJson({ store, value: matrix })).digest,
    },
    ...changes,
  });
  await store.bind({ kind: 'decision', key: runId, ref: await putJson({ store, value: decision }) });
  await writeRunFolder({
    dir: join(state, 'runs', runId),
    record: {
      decision,
      suites: [],
      matrices: [matrix],
      momenta: [],
      conversations: [],
      winnerPatch: Buffer.from('the patch'),
      decidingFiles: [{ path: 'tests/test_clamp.py', before: TEST_BASE, after: TEST_AFTER }],
    },
  });
  await rememberRun({
    home: state,
    run: { kind: 'select', runId, instance, instanceRef, settings },
    start: { taskQueue: 'q', startedAt: new Date() },
  });
  selectArgs = [
    'select',
    ...['--issue', flags.issue, '--model', 'm', '--python', flags.python, '--sandbox', 'none'],
    ...flags.patch.flatMap((patch) => ['--patch', patch]),
  ];
}

beforeEach(() => {
  repo = sampleRepository();
  state = join(repo.home, 'state');
  repo.beside('issue.md', 'clamp ignores low\n');
  repo.beside('good.diff', clampPatch('return max(low, min(value, high))'));
  repo.beside('partial.diff', clampPatch('return min(max(value, 0), high)'));
});
afterEach(() => repo.remove());

const cli = (...args: string[]) => runCli({ args, home: repo.home, cwd: repo.dir });
const source = (): string => readFileSync(join(repo.dir, 'src/shop/clamp.py'), 'utf8');
const tests = (): string => readFileSync(join(repo.dir, 'tests/test_clamp.py'), 'utf8');

test('the same select again is answered from the store, without a server, a key or a model', async () => {
  await finish();
  const result = await runCli({
    args: selectArgs,
    home: repo.home,
    cwd: repo.dir,
    env: { TEMPORAL_ADDRESS: '127.0.0.1:1' },
  });
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toMatch(/^ >> good/);
  expect(result.stdout).not.toContain('\u001b');
});

test('--json is one document on standard output and nothing else', async () => {
  await finish();
  const calls = [
    ['show', 'last'],
    ['report', runId.slice(0, 4)],
    ['status'],
    ['status', 'last'],
    ['apply', 'last', '--preview'],
  ];
  const results = await Promise.all(calls.map((args) => cli(...args, '--json')));
  for (const [index, result] of results.entries()) {
    const name = calls[index]?.join(' ');
    expect(result.exitCode, name).toBe(0);
    expect(JSON.parse(result.stdout).schema, name).toMatch(/^testgrad\.\w+\/1$/);
    expect(result.stdout).not.toContain('\u001b');
  }
  const shown = JSON.parse((await cli('show', 'last', '--json')).stdout);
  expect(shown).toMatchObject({ run: { id: runId }, outcome: 'differential', selected: 'good' });
  expect(shown.decision.reason).toBeNull();
  const whole = JSON.parse((await cli('show', 'last', '--json', '--content')).stdout);
  expect(whole.decision.reason).toBe('Only \u001b[2Jgood keeps a negative low.');
});

test('status lists a run with what was selected', async () => {
  await finish();
  const [head, line] = (await cli('status')).stdout.split('\n');
  expect(head).toMatch(/^RUN +KIND +STATE +SELECTED +TOKENS +COST +AGE +NAME$/);
  expect(line).toMatch(new RegExp(`^${runId.slice(0, 8)}  select  differential  good `));
});

test('a report is Markdown of at most sixty lines, and --write copies the whole folder', async () => {
  await finish();
  const target = join(repo.home, 'out');
  const result = await cli('report', 'last', '--write', target);
  expect(result.stdout).toMatch(/^## TestGRAD: good/);
  expect(result.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect(readdirSync(target)).toEqual(expect.arrayContaining(['decision.json', 'deciding-test', 'report.md']));
  expect(existsSync(join(target, 'run.json'))).toBe(false);
});

test('a preview shows the diff and changes nothing', async () => {
  await finish();
  const result = await cli('apply', 'last', '--preview', '--test');
  expect(result.exitCode).toBe(0);
  expect(result.stdout).toContain('+    return max(low, min(value, high))');
  expect(result.stdout).toContain('+def test_low():');
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('apply puts the patch into the tree, and again is no failure', async () => {
  await finish();
  expect((await cli('apply', 'last')).exitCode).toBe(0);
  expect([source(), tests()]).toEqual([FIXED, TEST_BASE]);
  const again = await cli('apply', 'last');
  expect(again.exitCode).toBe(0);
  expect(again.stderr).toContain('already');
  expect(source()).toBe(FIXED);
});

test('apply --test adds the deciding test', async () => {
  await finish();
  expect((await cli('apply', 'last', '--test')).exitCode).toBe(0);
  expect([source(), tests()]).toEqual([FIXED, TEST_AFTER]);
});

test('a patch that is no UTF-8 is applied byte for byte, in the repository that workers use', async () => {
  const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
  const file = join(repo.dir, 'src/shop/words.py');
  writeFileSync(file, bytes('WORD = "caf\u00e9"\n'));
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'words');
  writeFileSync(file, bytes('WORD = "na\u00efve"\n'));
  writeFileSync(join(repo.home, 'good.diff'), execFileSync('git', ['diff'], { cwd: repo.dir }));
  repo.git('checkout', '-q', '--', '.');
  await finish();
  expect((await cli('apply', 'last')).stderr).toContain('Applied good');
  expect(readFileSync(file).equals(bytes('WORD = "na\u00efve"\n'))).toBe(true);
  const kept = readdirSync(join(state, 'work', 'repositories'));
  expect(kept).toEqual([`${repo.git('rev-parse', 'HEAD^{tree}')}.git`]);
});

test("the user's git configuration plays no part", async () => {
  await finish();
  repo.git('config', 'apply.ignoreWhitespace', 'change');
  repo.git('config', 'apply.whitespace', 'error-all');
  repo.git('config', 'core.autocrlf', 'true');
  expect((await cli('apply', 'last')).exitCode).toBe(0);
  expect(source()).toBe(FIXED);
});

test("the deciding test wins over the candidate's own change to its file", async () => {
  const own = [
    'diff --git a/tests/test_clamp.py b/tests/test_clamp.py',
    '--- a/tests/test_clamp.py',
    '+++ b/tests/test_clamp.py',
  ];
  const hunk = [
    '@@ -4,2 +4,2 @@',
    ' def test_high():',
    '-    assert clamp(5, 0, 3) == 3',
    '+    assert clamp(9, 0, 3) == 3',
    '',
  ];
  repo.beside('good.diff', `${clampPatch('return max(low, min(value, high))')}${[...own, ...hunk].join('\n')}`);
  await finish();
  const result = await cli('apply', 'last', '--test');
  expect(result.stderr).toContain("good's own change to tests/test_clamp.py is left out");
  expect([source(), tests()]).toEqual([FIXED, TEST_AFTER]);
});

test('a tree that has moved on is refused whole, and the diff is kept for git to merge', async () => {
  await finish();
  const moved = CLAMP.replace('min', 'max');
  repo.write('src/shop/clamp.py', moved);
  const result = await cli('apply', 'last', '--test');
  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  const file = /apply -3 (\S+)/.exec(result.stderr)?.[1] ?? '';
  expect(readFileSync(file, 'utf8')).toContain('+def test_low():');
  expect([source(), tests()]).toEqual([moved, TEST_BASE]);
  expect((await cli('apply', 'last', '--test', '--preview')).exitCode).toBe(2);

  // Somebody else's change to other lines of the test's file.
  repo.git('checkout', '-q', '--', '.');
  repo.write('tests/test_clamp.py', TEST_BASE.replace('def test_high', '# Ours.\ndef test_high'));
  repo.git('commit', '-q', '-a', '-m', 'ours');
  expect(repo.git('apply', '-3', file)).toBe('');
  expect(tests()).toContain('# Ours.');
  expect(tests()).toContain('def test_low');
});

test('nothing is applied of a run that selected nobody, nor a test where none was written', async () => {
  await finish({ kind: 'none-acceptable', selected: null, selectedId: null, decidingTests: [] });
  const result = await cli('apply', 'last');
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stderr).toMatch(/^TG-R04 .*no candidate was selected/);
  expect((await cli('show', 'last')).exitCode).toBe(13);
});

test('a decision without a differential test has an exit code of its own on demand', async () => {
  await finish({ kind: 'equivalent', decidingTests: [], ended: 'equal' });
  expect((await cli('show', 'last')).exitCode).toBe(0);
  expect((await cli('show', 'last', '--require-differential')).exitCode).toBe(11);
});
