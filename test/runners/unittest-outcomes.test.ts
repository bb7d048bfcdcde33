import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, statuses, writeFiles } from '../support/test-files.js';

const kind = (await hasBubblewrap()) ? 'bubblewrap' : 'none';
const python = await pythonWithPytest();

describe(`unittest in a sandbox (${kind})`, () => {
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
    return runTestFile({ ground, kind, python, file, command: 'python -m unittest', ...rest });
  };

  it('tells apart what a test can do', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': `
import unittest

class Plain(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.assertEqual(1, 2)
    def test_raises(self): raise ValueError('odd')
    def test_exits(self): raise SystemExit(3)
    def test_skips(self): self.skipTest('not today')
    @unittest.skip('never')
    def test_marked_skip(self): pass
    @unittest.expectedFailure
    def test_expected_failure(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected_success(self): pass
    def test_subtests(self):
        for number in (1, 2, 3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 2)
    def test_good_subtests(self):
        with self.subTest(a=1): pass
        with self.subTest(a=2): self.skipTest('this one')

class SetUp(unittest.TestCase):
    def setUp(self): raise OSError('no set-up')
    def test_a(self): pass

class TearDown(unittest.TestCase):
    def tearDown(self): raise OSError('no tear-down')
    def test_a(self): pass

class SetUpClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError('no class')
    def test_a(self): pass
    def test_b(self): pass

class SkipClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest('no class today')
    def test_a(self): pass

class TearDownClass(unittest.TestCase):
    @classmethod
    def tearDownClass(cls): raise OSError('left a mess')
    def test_a(self): pass
    def test_b(self): pass

class Async(unittest.IsolatedAsyncioTestCase):
    async def test_async(self): self.assertTrue(False)
`,
      },
    });
    expect(outcome).toMatchObject({ state: 'ran', reason: '' });
    expect(statuses(outcome)).toEqual({
      'Plain::test_passes': 'passed/call',
      'Plain::test_fails': 'failed/call',
      'Plain::test_raises': 'failed/call',
      'Plain::test_exits': 'failed/call',
      'Plain::test_skips': 'skipped/call',
      'Plain::test_marked_skip': 'skipped/call',
      'Plain::test_expected_failure': 'xfailed/call',
      'Plain::test_unexpected_success': 'failed/call',
      'Plain::test_subtests': 'failed/call',
      'Plain::test_good_subtests': 'passed/call',
      'SetUp::test_a': 'error/setup',
      'TearDown::test_a': 'error/teardown',
      'SetUpClass::test_a': 'error/setup',
      'SetUpClass::test_b': 'error/setup',
      'SkipClass::test_a': 'skipped/setup',
      'TearDownClass::test_a': 'passed/call',
      'TearDownClass::test_b': 'error/teardown',
      'Async::test_async': 'failed/call',
    });
    const message = (name: string) => outcome.outcomes.find(({ testId }) => testId.endsWith(`::${name}`))?.message;
    expect(message('test_fails')).toMatch(/^AssertionError: 1 != 2\n.*tests\/test_it\.py/s);
    expect(message('test_subtests')).toMatch(/^sub-test \(number=2\): AssertionError/);
    expect(message('SetUpClass::test_a')).toMatch(/^OSError: no class/);
  });

  it('gives the tests of a module whose set-up breaks an error', async () => {
    const outcome = await run({
      files: {
        'tests/test_it.py': `
import unittest
def setUpModule(): raise OSError('no module')
class A(unittest.TestCase):
    def test_a(self): pass
    class Inner: pass
`,
      },
    });
    expect(statuses(outcome)).toEqual({ 'A::test_a': 'error/setup' });
  });

  it('keeps what was known when the process dies or never ends', async () => {
    const file = (death: string) => `
import os, unittest
class A(unittest.TestCase):
    def test_1(self): pass
    def test_2(self):
        ${death}
    def test_3(self): pass
`;
    const dead = await run({ files: { 'tests/test_it.py': file('os._exit(0)') } });
    expect(dead.state).toBe('crashed');
    expect(statuses(dead)).toEqual({
      'A::test_1': 'passed/call',
      'A::test_2': 'error/call',
      'A::test_3': 'missing/collect',
    });
    const endless = await run({ files: { 'tests/test_it.py': file('while True: pass') }, timeoutMs: 3_000 });
    expect(endless.state).toBe('timeout');
    expect(statuses(endless)['A::test_2']).toBe('timeout/call');
  });

  it('says why a file cannot be collected, or holds nothing', async () => {
    const cases = [
      ['import no_such_module', 'not-collected', "No module named 'no_such_module'"],
      ['def x(:', 'not-collected', 'SyntaxError'],
      ['import sys; sys.exit("bye")', 'not-collected', 'SystemExit: bye'],
      ['import unittest\nraise unittest.SkipTest("not here")', 'empty', 'not here'],
      ['X = 1', 'empty', 'holds no tests'],
    ] as const;
    for (const [text, state, reason] of cases) {
      const outcome = await run({ files: { 'tests/test_it.py': text } });
      expect(outcome).toMatchObject({ state, reason: expect.stringContaining(reason), outcomes: [] });
    }
  });

  it('names modules as the command does, and probes imports', async () => {
    const test = `
import unittest
class A(unittest.TestCase):
    def test_name(self): self.assertEqual(__name__, NAME)
    def test_slow(self): pass
`;
    const files = {
      'pkg/__init__.py': '',
      'tests/__init__.py': '',
      'tests/test_it.py': `import helper_of_tests\nNAME = 'test_it'${test}`,
      'tests/helper_of_tests.py': '',
      'tests/test_full.py': `NAME = 'tests.test_full'${test}`,
      'odd-name/test_it.py': `NAME = 'odd_name_test_it'${test}`,
    };
    const expected = { 'A::test_name': 'passed/call' };
    const command = 'python -m unittest discover -s tests -k test_name';
    const probeModules = ['pkg'];
    const one = await run({ files, command, probeModules });
    expect(one.outcomes.map(({ message }) => message)).toEqual(['']);
    expect(statuses(one)).toEqual(expected);
    expect(one.imports).toEqual({ pkg: 'pkg/__init__.py' });
    const full = await run({
      files: {},
      file: 'tests/test_full.py',
      command: 'python -m unittest discover -s tests -t . -k test_name',
    });
    expect(statuses(full)).toEqual(expected);
    const odd = await run({ files: {}, file: 'odd-name/test_it.py', command: 'python -m unittest -k test_name' });
    expect(statuses(odd)).toEqual(expected);
  });

  it('lists tests, and runs some of them', async () => {
    const files = {
      'tests/test_it.py': `
import unittest
class A(unittest.TestCase):
    def test_a(self): open('ran', 'x')
    def test_b(self): pass
def load_tests(loader, tests, pattern):
    tests.addTest(unittest.FunctionTestCase(len))
    return tests
`,
    };
    const listed = await run({ files, mode: 'collect' });
    expect(statuses(listed)).toMatchObject({ 'A::test_a': 'missing/collect', 'A::test_b': 'missing/collect' });
    expect(listed.outcomes).toHaveLength(3);
    const some = await run({ files: {}, tests: ['tests/test_it.py::A::test_a'] });
    expect(statuses(some)).toEqual({ 'A::test_a': 'passed/call' });
  });
});
