import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, statuses, writeFiles } from '../support/test-files.js';

const kind = (await hasBubblewrap()) ? 'bubblewrap' : 'none';
const python = await pythonWithPytest();

describe(`pytest in a sandbox (${kind})`, () => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind });
  });
  afterEach(() => ground.remove());

  const run = async ({
    files,
    file = 'tests/test_it.py',
    ...rest
  }: { files: Readonly<Record<string, string>>; file?: string } & Partial<Parameters<typeof runTestFile>[0]>) => {
    await writeFiles({ dir: ground.treeDir, files });
    return runTestFile({ ground, kind, python, file, ...rest });
  };

  it('tells apart what a test can do', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': `
import unittest
import pytest

@pytest.fixture
def broken():
    raise RuntimeError('no fixture today')

@pytest.fixture
def messy():
    yield 1
    raise RuntimeError('left a mess')

def test_passes(): pass
def test_fails(): assert 1 == 2
def test_raises(): raise ValueError('odd')
def test_setup_breaks(broken): pass
def test_teardown_breaks(messy): pass
def test_fails_and_teardown_breaks(messy): assert not messy
def test_skips(): pytest.skip('not today')
@pytest.mark.skip(reason='never')
def test_marked_skip(): pass
@pytest.mark.xfail(reason='known')
def test_expected_failure(): assert False
@pytest.mark.xfail
def test_unexpected_pass(): pass
@pytest.mark.xfail(strict=True)
def test_strict_unexpected_pass(): pass
def test_unknown_fixture(nothing_of_the_kind): pass
def test_exits(): raise SystemExit(3)

class TestNested:
    class TestInner:
        def test_deep(self): pass

class TestUnit(unittest.TestCase):
    def test_subtests(self):
        for number in (1, 2, 3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 2)
    @unittest.expectedFailure
    def test_unexpected_success(self): pass
`,
      },
    });
    expect(outcome).toMatchObject({ state: 'ran', reason: '', file: 'tests/test_it.py' });
    expect(statuses(outcome)).toEqual({
      test_passes: 'passed/call',
      test_fails: 'failed/call',
      test_raises: 'failed/call',
      test_setup_breaks: 'error/setup',
      test_teardown_breaks: 'error/teardown',
      test_fails_and_teardown_breaks: 'failed/call',
      test_skips: 'skipped/call',
      test_marked_skip: 'skipped/setup',
      test_expected_failure: 'xfailed/call',
      test_unexpected_pass: 'passed/call',
      test_strict_unexpected_pass: 'failed/call',
      test_unknown_fixture: 'error/setup',
      test_exits: 'failed/call',
      'TestNested::TestInner::test_deep': 'passed/call',
      'TestUnit::test_subtests': 'failed/call',
      'TestUnit::test_unexpected_success': 'failed/call',
    });
    const message = (name: string) => outcome.outcomes.find(({ testId }) => testId.endsWith(`::${name}`))?.message;
    expect(message('test_passes')).toBe('');
    expect(message('test_fails')).toMatch(/^assert 1 == 2\ntests\/test_it\.py:15\n.*E +assert 1 == 2/s);
    expect(message('test_raises')).toMatch(/^ValueError: odd\n/);
    expect(message('test_setup_breaks')).toMatch(/^RuntimeError: no fixture today\n/);
    expect(message('test_skips')).toContain('not today');
    expect(message('test_expected_failure')).toContain('known');
  });

  it('keeps awkward parameter ids as they are', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': `
import pytest
IDS = ['two words', 'a::b', '[x]', 'naïve-名', 'a/b.py::c', 'say "hi"', '-k', 'x\\ty', '']
@pytest.mark.parametrize('value', IDS, ids=IDS)
def test_value(value): assert value != 'a::b'
`,
      },
    });
    const ids = Object.keys(statuses(outcome));
    expect(ids).toHaveLength(9);
    expect(ids).toEqual(expect.arrayContaining(['test_value[two words]', 'test_value[a::b]', 'test_value[[x]]']));
    expect(ids).toEqual(expect.arrayContaining(['test_value[a/b.py::c]', 'test_value[say "hi"]', 'test_value[-k]']));
    expect(statuses(outcome)['test_value[a::b]']).toBe('failed/call');
    const wanted = outcome.outcomes.map(({ testId }) => testId).filter((id) => /two words|\[x\]|say/.test(id));
    const some = await run({ files: {}, tests: wanted });
    expect(some.outcomes.map(({ testId }) => testId)).toEqual(wanted);
  });

  it('says why a file cannot be collected', async () => {
    const importError = await run({ files: { 'tests/test_it.py': 'import no_such_module\ndef test_a(): pass\n' } });
    expect(importError).toMatchObject({ state: 'not-collected', outcomes: [] });
    expect(importError.reason).toContain("No module named 'no_such_module'");
    const syntax = await run({ files: { 'tests/test_it.py': 'def test_a(:\n' } });
    expect(syntax).toMatchObject({ state: 'not-collected', reason: expect.stringContaining('SyntaxError') });
    const conftest = await run({
      files: { 'tests/test_it.py': 'def test_a(): pass', 'tests/conftest.py': 'raise OSError("conftest is ill")' },
    });
    expect(conftest).toMatchObject({
      state: 'not-collected',
      reason: expect.stringMatching(/^OSError: conftest is ill\ntests\/conftest\.py/),
    });
    const missing = await run({ files: { 'tests/conftest.py': '' }, file: 'tests/test_other.py' });
    expect(missing).toMatchObject({ state: 'not-collected', reason: expect.stringContaining('test_other.py') });
  });

  it('tells an empty file and a file that skips itself', async () => {
    const empty = await run({ files: { 'tests/test_it.py': 'X = 1\n' } });
    expect(empty).toMatchObject({ state: 'empty', outcomes: [] });
    const skips = await run({
      files: { 'tests/test_it.py': 'import pytest\npytest.importorskip("no_such_module")\ndef test_a(): pass\n' },
    });
    expect(skips).toMatchObject({ state: 'empty', reason: expect.stringContaining('no_such_module') });
  });

  it('keeps what was known when the process dies in a test', async () => {
    const file = (death: string) => `
import ctypes, os
def test_before(): pass
def test_dies():
    ${death}
def test_after(): pass
`;
    const exits = await run({ files: { 'tests/test_it.py': file('os._exit(0)') } });
    expect(exits).toMatchObject({ state: 'crashed', reason: expect.stringContaining('exit code 0') });
    const expected = { test_before: 'passed/call', test_dies: 'error/call', test_after: 'missing/collect' };
    expect(statuses(exits)).toEqual(expected);
    const segfault = await run({ files: { 'tests/test_it.py': file('ctypes.string_at(0)') } });
    expect(segfault).toMatchObject({ state: 'crashed', reason: expect.stringContaining('SIGSEGV') });
    expect(statuses(segfault)).toEqual(expected);
    expect(segfault.outcomes[1]?.message).toBe('The process ended during this test: signal SIGSEGV.');
    const atImport = await run({ files: { 'tests/test_it.py': 'import os\nos._exit(0)\n' } });
    expect(atImport).toMatchObject({ state: 'crashed', outcomes: [] });
  });

  it('gives an endless test a timeout, and the tests behind it are missing', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': 'def test_a(): pass\ndef test_endless():\n    while True: pass\ndef test_c(): pass\n',
      },
      timeoutMs: 4_000,
      probeModules: ['pytest'],
    });
    expect(outcome).toMatchObject({ state: 'timeout', imports: { pytest: expect.stringContaining('site-packages') } });
    expect(statuses(outcome)).toEqual({
      test_a: 'passed/call',
      test_endless: 'timeout/call',
      test_c: 'missing/collect',
    });
    const atImport = await run({ files: { 'tests/test_it.py': 'while True: pass\n' }, timeoutMs: 1_000 });
    expect(atImport).toMatchObject({ state: 'timeout', outcomes: [] });
  });

  it('knows all outcomes when the interpreter hangs only after the last test', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': `
import threading, time
def test_a():
    threading.Thread(target=time.sleep, args=(60,)).start()
`,
      },
      timeoutMs: 4_000,
    });
    expect(outcome).toMatchObject({ state: 'ran', outcomes: [{ status: 'passed' }] });
  });

  it('reports a run that a test ends', async () => {
    const outcome = await run({
      files: { 'tests/test_it.py': 'import pytest\ndef test_a(): pytest.exit("enough")\ndef test_b(): pass\n' },
    });
    expect(outcome).toMatchObject({ state: 'crashed', reason: expect.stringContaining('enough') });
    expect(statuses(outcome)).toEqual({ test_a: 'error/call', test_b: 'missing/collect' });
  });

  it('lists tests without running them', async () => {
    const outcome = await run({
      files: { 'tests/test_it.py': 'def test_a(): open("ran", "w")\nclass TestB:\n    def test_c(self): pass\n' },
      mode: 'collect',
    });
    expect(outcome.state).toBe('ran');
    expect(statuses(outcome)).toEqual({ test_a: 'missing/collect', 'TestB::test_c': 'missing/collect' });
    const broken = await run({ files: { 'tests/test_it.py': 'import no_such_module' }, mode: 'collect' });
    expect(broken.state).toBe('not-collected');
  });
});
