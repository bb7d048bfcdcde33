import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/suite.js';
import { applyOperation } from '../../src/source/edit.js';
import { indexTests } from '../../src/source/test-index.js';

type Create = Extract<Operation, { op: 'create' }>;
const file = 'tests/test_x.py';
const create = (operation: Omit<Create, 'op' | 'file'>): Operation => ({ op: 'create', file, ...operation });
const update = (test: string, source: string, imports: string[] = []): Operation => ({
  op: 'update',
  file,
  test,
  source,
  imports,
  staleBecause: '',
});
const remove = (test: string): Operation => ({ op: 'delete', file, test, obsoleteBecause: '' });
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

async function edited(text: string, operation: Operation): Promise<string> {
  const result = await applyOperation({ text, operation });
  if (result.kind === 'refused') throw new Error(result.reason);
  return result.text;
}

async function refusal(text: string, operation: Operation): Promise<string> {
  const result = await applyOperation({ text, operation });
  return result.kind === 'refused' ? result.reason : `applied: ${result.text}`;
}

const test = (name: string, parameters = '') => `def ${name}(${parameters}):\n    assert True`;

describe('create', () => {
  it('makes a new file from an empty text', async () => {
    expect(
      await edited('', create({ name: 'test_a', source: test('test_a'), imports: ['import os', 'from a import b'] })),
    ).toBe('import os\nfrom a import b\n\n\ndef test_a():\n    assert True\n');
  });

  it('goes to the end of the module, in front of the script', async () => {
    const text = lines('def test_a(): pass', '', '', "if __name__ == '__main__':", '    main()');
    expect(await edited(text, create({ name: 'test_b', source: test('test_b') }))).toBe(
      lines(
        'def test_a(): pass',
        '',
        '',
        'def test_b():',
        '    assert True',
        '',
        '',
        "if __name__ == '__main__':",
        '    main()',
      ),
    );
  });

  it('leaves comments with what they stand by', async () => {
    const text = lines('def test_a(): pass', '# fmt: on', '', '# run', "if __name__ == '__main__':", '    main()');
    expect(await edited(text, create({ name: 'test_b', source: 'def test_b(): pass' }))).toBe(
      lines(
        'def test_a(): pass',
        '# fmt: on',
        '',
        '',
        'def test_b(): pass',
        '',
        '# run',
        "if __name__ == '__main__':",
        '    main()',
      ),
    );
  });

  it('goes to the end of a class, behind its comments, and keeps what follows', async () => {
    const text = lines('class TestA:', '    def test_a(self): pass', '    # last', '', 'x = 1');
    expect(await edited(text, create({ className: 'TestA', name: 'test_b', source: test('test_b', 'self') }))).toBe(
      lines(
        'class TestA:',
        '    def test_a(self): pass',
        '    # last',
        '',
        '    def test_b(self):',
        '        assert True',
        '',
        'x = 1',
      ),
    );
  });

  it.each([
    ['class TestA:\n    pass\n', 'class TestA:\n    def test_b(self):\n        assert True\n'],
    ['class TestA: pass\n', 'class TestA:\n    def test_b(self):\n        assert True\n'],
    ['class TestA:\n    pass  # todo', 'class TestA:\n    pass  # todo\n\n    def test_b(self):\n        assert True'],
    ['class TestA:\n    """Doc."""', 'class TestA:\n    """Doc."""\n\n    def test_b(self):\n        assert True'],
  ])('fills the empty class %j', async (text, expected) => {
    expect(await edited(text, create({ className: 'TestA', name: 'test_b', source: test('test_b', 'self') }))).toBe(
      expected,
    );
  });

  it('reaches nested classes by their qualified name', async () => {
    const text = lines('class A:', '    class TestB:', '        x = 1', '    y = 2');
    expect(await edited(text, create({ className: 'A::TestB', name: 'test_b', source: test('test_b', 'self') }))).toBe(
      lines(
        'class A:',
        '    class TestB:',
        '        x = 1',
        '',
        '        def test_b(self):',
        '            assert True',
        '    y = 2',
      ),
    );
  });

  it('opens a new class, with the base that the test classes of the file have', async () => {
    const text = lines('class A(SimpleTestCase):', '  def test_a(self): pass');
    expect(await edited(text, create({ className: 'B', name: 'test_b', source: test('test_b', 'self') }))).toBe(
      `${text}\n\nclass B(SimpleTestCase):\n  def test_b(self):\n      assert True\n`,
    );
    expect(await edited('', create({ className: 'TestB', name: 'test_b', source: test('test_b', 'self') }))).toBe(
      'class TestB:\n    def test_b(self):\n        assert True\n',
    );
    expect(await refusal('', create({ className: 'B', name: 'test_b', source: test('test_b', 'self') }))).toMatch(
      /no runner would collect/,
    );
  });

  it('takes a whole class with decorators and bases', async () => {
    const source = "@isolate_apps('a')\nclass NewTests(SimpleTestCase):\n    def test_b(self):\n        assert True";
    const text = 'x = 1\n';
    const expected = `x = 1\n\n\n${source}\n`;
    expect(await edited(text, create({ className: 'NewTests', name: 'test_b', source }))).toBe(expected);
    expect(await edited(text, create({ name: 'NewTests', source }))).toBe(expected);
  });

  it('writes tabs where the file is indented by tabs', async () => {
    const text = 'class TestA:\n\tdef test_a(self):\n\t\tpass\n';
    const source = 'def test_b(self):\n  if x:\n    f(1,\n      2)\n    """\n  text"""';
    expect(await edited(text, create({ className: 'TestA', name: 'test_b', source }))).toBe(
      `${text}\n\tdef test_b(self):\n\t\tif x:\n\t\t\tf(1,\n\t\t\t\t2)\n\t\t\t"""\n  text"""\n`,
    );
  });

  it('accepts helpers and fixtures, and sources that come indented', async () => {
    const source = '    @pytest.fixture\n    def thing():\n        return """\n  kept"""\n';
    expect(await edited('x = 1\n', create({ name: 'thing', source }))).toBe(
      'x = 1\n\n\n@pytest.fixture\ndef thing():\n    return """\n  kept"""\n',
    );
  });

  it('leaves out comments around the definition, which its removal would not find again', async () => {
    const source = '# why\n@mark\ndef test_b():\n    1  # in\n    # last\n# behind';
    const text = await edited('x = 1\n', create({ name: 'test_b', source }));
    expect(text).toBe('x = 1\n\n\n@mark\ndef test_b():\n    1  # in\n    # last\n');
    expect(await edited(text, remove('test_b'))).toBe('x = 1\n');
  });

  it('writes spaces where the file is indented by spaces', async () => {
    const source = 'def test_b(self):\n\tif x:\n\t\ty = """\n\tkept"""';
    expect(await edited('class A:\n  x = 1\n', create({ className: 'A', name: 'test_b', source }))).toBe(
      'class A:\n  x = 1\n\n  def test_b(self):\n    if x:\n      y = """\n\tkept"""\n',
    );
  });

  it.each([
    [
      'a class under the name of its test',
      'x = 1\n',
      { name: 'test_b', source: 'class TestB:\n    def test_b(self): 1' },
      /defines `TestB`.*creates `test_b`/,
    ],
    ['a lone carriage return', '', { name: 'test_b', source: 'def test_b():\r    1' }, /lone carriage return/],
    ['a file with lone carriage returns', 'x = 1\ry = 2\r', { name: 'test_b', source: test('test_b') }, /not edited/],
    [
      'a name that is there',
      'def test_a(): pass\n',
      { name: 'test_a', source: test('test_a') },
      /there already, line 1.*update/,
    ],
    ['a name under if', 'if x:\n    def test_a(): pass\n', { name: 'test_a', source: test('test_a') }, /there already/],
    ['an imported name', 'from a import thing\n', { name: 'thing', source: test('thing') }, /imported in line 1/],
    ['an assigned name', 'thing = 1\n', { name: 'thing', source: test('thing') }, /assigned in line 1/],
    ['another name', '', { name: 'test_b', source: test('test_a') }, /defines `test_a`.*creates `test_b`/],
    ['a broken source', '', { name: 'test_a', source: 'def test_a(:\n    pass' }, /does not parse, line 1/],
    [
      'an open string',
      'def test_b(): pass\n',
      { name: 'test_a', source: 'def test_a():\n    x = """' },
      /does not parse/,
    ],
    ['a misindented source', '', { name: 'test_a', source: 'def test_a():\n    x\n      y' }, /does not parse, line 3/],
    ['an empty body', '', { name: 'test_a', source: 'def test_a():\n    # nothing' }, /does not parse/],
    ['imports in the source', '', { name: 'test_a', source: `import os\n\n${test('test_a')}` }, /`imports`/],
    ['two functions', '', { name: 'test_a', source: `${test('test_a')}\n\n${test('test_b')}` }, /exactly one/],
    ['no function', '', { name: 'test_a', source: 'x = 1' }, /exactly one/],
    [
      'a method without self',
      'class TestA:\n    x = 1\n',
      { className: 'TestA', name: 'test_a', source: test('test_a') },
      /no `self`/,
    ],
    ['self outside of a class', '', { name: 'test_a', source: test('test_a', 'self') }, /`className`/],
    [
      'a class that is a function',
      'def a(): pass\n',
      { className: 'a', name: 'test_a', source: test('test_a', 'self') },
      /not a class/,
    ],
  ])('refuses %s', async (_, text, operation, reason) => {
    expect(await refusal(text, create(operation))).toMatch(reason);
  });
});

describe('an edit that would harm the file', () => {
  it('is refused when the result has more syntax errors', async () => {
    expect(await refusal('def a(): 1\n\nx = """\n', create({ name: 'test_b', source: test('test_b') }))).toBe(
      'The file would not parse with this source.',
    );
  });

  it('is refused when the definition would end up inside of something else', async () => {
    expect(await refusal('if x\n', create({ name: 'test_b', source: test('test_b') }))).toMatch(
      /`test_b` would not be a definition/,
    );
  });
});

describe('update', () => {
  it('replaces decorators and body in place', async () => {
    const text = lines(
      'class TestA:',
      '    # about a',
      '    @old',
      '    def test_a(self):',
      '        x = 1',
      '',
      '    y = 2',
    );
    expect(await edited(text, update('TestA::test_a', '@new\nasync def test_a(self):\n    """Doc\n    more"""'))).toBe(
      lines(
        'class TestA:',
        '    # about a',
        '    @new',
        '    async def test_a(self):',
        '        """Doc',
        '    more"""',
        '',
        '    y = 2',
      ),
    );
  });

  it('changes nothing when it is given the definition as it is listed', async () => {
    const text = lines(
      'class A:',
      '    def test_a(self):',
      '        x = [1,',
      '  # far left',
      '        2]',
      '  ',
      '        f()  ',
      '',
    );
    const [, listed] = await indexTests({ file, text });
    expect(await edited(text, update('A::test_a', listed?.source ?? ''))).toBe(text);
  });

  it('follows the line breaks around it in a file that mixes them, and restores what was there', async () => {
    const text = 'def a():\r\n    return 1\n\n\ndef b(): 2\r\n';
    const result = await applyOperation({ text, operation: update('a', 'def a():\n    return 3') });
    expect(result).toMatchObject({ text: 'def a():\r\n    return 3\n\n\ndef b(): 2\r\n' });
    if (result.kind === 'refused') throw new Error(result.reason);
    expect(await edited(result.text, update('a', result.removedSource ?? ''))).toBe(text);
  });

  it('changes the last of equal names, which is the one that runs', async () => {
    const text = lines('def test_a(): one', 'def test_a(): two');
    expect(await edited(text, update('test_a', 'def test_a(): three'))).toBe(
      lines('def test_a(): one', 'def test_a(): three'),
    );
  });

  it('keeps a form feed in front of the definition', async () => {
    expect(await edited('x = 1\n\fdef a():\n    1\n', update('a', 'def a():\n    if x:\n        2'))).toBe(
      'x = 1\n\fdef a():\n    if x:\n        2\n',
    );
  });

  it('may rename, and may replace a class that keeps its members', async () => {
    expect(await edited('def test_a(): pass\n', update('test_a', test('test_b')))).toBe(`${test('test_b')}\n`);
    const text = lines('class TestA:', '    def test_a(self): pass');
    const source = '@mark\nclass TestA:\n    def test_a(self): pass\n    def test_b(self): pass';
    expect(await edited(text, update('TestA', source))).toBe(`${source}\n`);
    expect(await refusal(text, update('TestA', 'class TestA:\n    x = 1'))).toMatch(/lacks `TestA::test_a`/);
  });

  it('repairs a file that did not parse', async () => {
    const text = 'def test_a():\n    x = = 1\n\n\ndef test_b():\n    pass\n';
    expect(await edited(text, update('test_b', test('test_b')))).toContain('x = = 1');
  });

  it.each([
    [
      'an unknown name',
      'class A:\n    def test_long(self): pass\n',
      'test_long',
      test('test_long'),
      /no `test_long`.*There is `A::test_long`/,
    ],
    ['names in branches', 'if x:\n    def t(): 1\nelse:\n    def t(): 2\n', 't', test('t'), /lines 2, 4.*condition/],
    [
      'a property and its setter',
      'class A:\n    @property\n    def v(self): 1\n    @v.setter\n    def v(self, x): 2\n',
      'A::v',
      test('v', 'self'),
      /belong together/,
    ],
    ['a name that is taken', 'def t(): 1\ndef u(): 2\n', 't', test('u'), /renames `t`.*`u` is there already/],
    ['a class for a function', 'def t(): 1\n', 't', 'class t:\n    x = 1', /is a function.*is a class/],
    ['a lost self', 'class A:\n    def t(self): 1\n', 'A::t', test('t'), /no `self`/],
  ])('refuses %s', async (_, text, name, source, reason) => {
    expect(await refusal(text, update(name, source))).toMatch(reason);
  });
});

describe('delete', () => {
  it.each([
    [
      'a middle one',
      'def a(): 1\n\n\n# on b\n\ndef b(): 2\n\n\ndef c(): 3\n',
      'b',
      'def a(): 1\n\n\n# on b\n\n\ndef c(): 3\n',
    ],
    ['the first one', 'def a(): 1\n\n\ndef b(): 2\n', 'a', 'def b(): 2\n'],
    ['the last one', 'def a(): 1\n\n\ndef b(): 2', 'b', 'def a(): 1'],
    [
      'the first of a class',
      'class A:\n    def a(self): 1\n\n    def b(self): 2\n',
      'A::a',
      'class A:\n    def b(self): 2\n',
    ],
    [
      'the only one of a class',
      'class A:\n    # why\n    @x\n    def a(self): 1\n',
      'A::a',
      'class A:\n    # why\n    pass\n',
    ],
    ['the only one of a branch', 'if x:\n\tdef a():\n\t\tpass\nelse:\n\ty\n', 'a', 'if x:\n\tpass\nelse:\n\ty\n'],
    ['one beside a docstring', 'class A:\n    """D."""\n\n    def a(self): 1\n', 'A::a', 'class A:\n    """D."""\n'],
    ['the only one in front of blank lines', 'def a(): 1\n\n\n', 'a', '\n\n'],
    ['the only one of all', '\uFEFFdef a(): 1\n', 'a', '\uFEFF'],
  ])('removes %s', async (_, text, name, expected) => {
    const result = await applyOperation({ text, operation: remove(name) });
    expect(result).toMatchObject({ kind: 'applied', text: expected });
  });

  it('gives back the removed lines as they stood', async () => {
    const result = await applyOperation({
      text: 'class A:\n    x = 1\n\n    @d\n    def a(self): 1  # c\n',
      operation: remove('A::a'),
    });
    expect(result).toMatchObject({ removedSource: '    @d\n    def a(self): 1  # c' });
  });

  it('refuses a class, and a name whose earlier definition would come back', async () => {
    expect(await refusal('class A:\n    def a(self): 1\n', remove('A'))).toMatch(/is a class/);
    expect(await refusal('def a(): 1\ndef a(): 2\n', remove('a'))).toMatch(/line 1 too/);
  });
});
