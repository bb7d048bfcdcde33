import { describe, expect, it } from 'vitest';
import { indexTests } from '../../src/source/test-index.js';

const index = async (text: string) => indexTests({ file: 'tests/test_x.py', text });
const roles = async (text: string) =>
  (await index(text)).map(({ name, kind, isTest }) => `${kind}${isTest ? '!' : ''} ${name}`);

describe('indexTests', () => {
  it('lists nested classes, async tests and definitions in branches, but no inner functions', async () => {
    const text = [
      'import pytest',
      'class TestOuter:',
      '    class TestInner:',
      '        async def test_a(self):',
      '            def inner(): pass',
      '    if True:',
      '        def test_b(self): pass',
      'try:',
      '    def test_c(): pass',
      'except ImportError:',
      '    pass',
      'with x:',
      '    def helper(): pass',
    ].join('\n');
    expect(await roles(text)).toEqual([
      'class! TestOuter',
      'class! TestOuter::TestInner',
      'test! TestOuter::TestInner::test_a',
      'test! TestOuter::test_b',
      'test! test_c',
      'helper helper',
    ]);
  });

  it('follows the naming of pytest', async () => {
    const text = [
      'def test(): pass',
      'def check(): pass',
      'class TestA:',
      '    def test_a(self): pass',
      '    def setup_method(self): pass',
      '    @pytest.fixture()',
      '    def test_like(self): pass',
      'class TestWithInit:',
      '    def __init__(self): pass',
      '    def test_b(self): pass',
      'class TestOff:',
      '    __test__ = False',
      '    def test_c(self): pass',
      'class Mixin:',
      '    def test_d(self): pass',
    ].join('\n');
    expect(await roles(text)).toEqual([
      'test! test',
      'helper check',
      'class! TestA',
      'test! TestA::test_a',
      'fixture TestA::setup_method',
      'fixture TestA::test_like',
      'class TestWithInit',
      'helper TestWithInit::__init__',
      'test TestWithInit::test_b',
      'class TestOff',
      'test TestOff::test_c',
      'class Mixin',
      'test Mixin::test_d',
    ]);
  });

  it('follows unittest through bases in the file and imported ones', async () => {
    const text = [
      'class Base(unittest.TestCase): pass',
      'class Indirect(Base):',
      '    def test_a(self): pass',
      '    def setUp(self): pass',
      'class Django(Mixin, SimpleTestCase):',
      '    def test_b(self): pass',
      'class Imported(OperationTestBase):',
      '    def test_c(self): pass',
      'class Loop(Loop):',
      '    def test_d(self): pass',
    ].join('\n');
    expect(await roles(text)).toEqual([
      'class! Base',
      'class! Indirect',
      'test! Indirect::test_a',
      'fixture Indirect::setUp',
      'class! Django',
      'test! Django::test_b',
      'class! Imported',
      'test! Imported::test_c',
      'class Loop',
      'test Loop::test_d',
    ]);
  });

  it('gives whole lines with decorators, dedented, and leaves the inside of strings alone', async () => {
    const text =
      'class TestA:\r\n    @a\r\n    # why\r\n    @b(1)\r\n    def test(self):\r\n        x = """\r\n    y"""\r\n\r\n        # end\r\n';
    const [, test] = await index(text);
    expect(test).toEqual({
      file: 'tests/test_x.py',
      name: 'TestA::test',
      kind: 'test',
      startLine: 2,
      endLine: 9,
      className: 'TestA',
      isTest: true,
      decorators: ['a', 'b(1)'],
      source: '@a\r\n# why\r\n@b(1)\r\ndef test(self):\r\n    x = """\r\n    y"""\r\n\r\n    # end',
    });
  });

  it('lists what it can of a file that does not parse', async () => {
    expect(await roles('def test_a():\n    pass\n\nx = (\n')).toContain('test! test_a');
  });
});
