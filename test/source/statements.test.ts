import { describe, expect, it } from 'vitest';
import { statementSequences } from '../../src/source/statements.js';

async function keysOf(source: string, abstractLiterals = false): Promise<readonly string[]> {
  const sequences = await statementSequences({ source, abstractLiterals });
  expect(sequences).toHaveLength(1);
  return sequences[0]?.keys ?? [];
}

/** Keys of one statement in the body of a test that takes a fixture `app`. */
const keyOf = async (statement: string, abstractLiterals = false): Promise<string | undefined> =>
  (await keysOf(`def test(app):\n    ${statement}\n`, abstractLiterals)).at(-1);

describe('statementSequences', () => {
  it('gives equal keys to tests that differ in the name of a local', async () => {
    const source = (name: string, quotes: string) => `
@pytest.mark.sphinx(${quotes}text${quotes}, testroot="toctree")
def test_${name}(app, status, warning):
    app.build()
    ${name} = app.warning.getvalue()
    assert "genindex'" not in ${name}
    assert ${quotes}modindex${quotes} not in ${name}
    assert 'search' not in (${name})
`;
    const [left] = await statementSequences({ source: source('warnings', "'"), abstractLiterals: false });
    const [right] = await statementSequences({ source: source('warn', '"'), abstractLiterals: false });
    expect(left?.keys).toEqual(right?.keys);
    expect(left?.keys).toEqual([
      '@pytest.mark.sphinx("text",testroot="toctree")',
      'app.build()',
      '<v0>=app.warning.getvalue()',
      'assert "genindex\'" not in <v0>',
      'assert "modindex" not in <v0>',
      'assert "search" not in <v0>',
    ]);
    expect(left?.name).toBe('test_warnings');
    expect(right?.texts[3]).toBe(`assert "genindex'" not in warn`);
  });

  it('flattens compound statements and inner definitions, without docstrings, comments and pass', async () => {
    const source = `
async def test(self, tree):
    """Doc."""
    # comment
    with raises(E) as error, open(p):
        pass
    for (a, b), *c in tree:
        if a: continue
        elif b:
            x = a
        else: break
    try:
        def inner(one):
            "Doc."
            return one + a
        class Model(models.Model):
            field = inner(1)
    except (A, B) as e: raise
    finally:
        _ = inner
    async with x: await y
`;
    expect(await keysOf(source)).toEqual([
      'with raises(E)as <v0>,open(p):',
      'for(<v0>,<v1>),*<v2> in tree:',
      'if <v0>:',
      'continue',
      'elif <v0>:',
      '<v0>=<v1>',
      'else:',
      'break',
      'try:',
      'def <v0>(one):',
      'return one+<v0>',
      'class <v0>(models.Model):',
      'field=<v0>(1)',
      'except(A,B)as <v0>:',
      'raise',
      'finally:',
      '<v0>=<v1>',
      'async with <v0>:',
      'await y',
    ]);
  });

  it.each([
    ['x = y = app', '<v0>=<v1>=app'],
    ['x: int = 1', '<v0>:int=1'],
    ['x += app', '<v0>+=app'],
    ['x[0], y.z = app', 'x[0],y.z=app'],
    ['app = app.wrap()', 'app=app.wrap()'],
    ['assert [i for i in j if (k := i)]', 'assert[<v0> for <v0> in j if <v1>:=<v0>]'],
    ['f(lambda a, b=1: a + b)', 'f(lambda a,b=1:a+b)'],
    ['from a import (b, c as d,)', 'from a import b,c as d'],
    ['global G; G = 1', 'G=1'],
    ['import m; m.f(m=m)', 'm.f(m=m)'],
    ['self.value = value', 'self.value=value'],
  ])('renames locals only: %s', async (statement, key) => {
    expect(await keyOf(statement)).toBe(key);
  });

  it.each([
    ['f(1, 2,)', 'f(1, 2)'],
    ['assert (x == 1)', 'assert x==1'],
    ['assert ((x))', 'assert x'],
    ['return (1, 2)', 'return 1, 2'],
    ['f(a)[(0)]', 'f(a)[0]'],
    ['f(  a  ,b )', 'f(a, b)'],
    ['f("a" \'b\')', 'f("ab")'],
    ["f('it\\'s')", 'f("it\'s")'],
    ["f('''x''')", 'f("x")'],
    ["f(U'x', Rb'y')", 'f("x", bR"y")'],
    ['f(a,  # why\n      b)', 'f(a, b)'],
    ['x = a + \\\n        b', 'x = a + b'],
    ['with (open(a) as b): pass', 'with open(a) as b: pass'],
    ["f(f'{app !r:>{w}}')", 'f(f"{app!r:>{w}}")'],
  ])('gives %j the key of %j', async (left, right) => {
    expect(await keyOf(left)).toBe(await keyOf(right));
  });

  it.each([
    ['f((1,))', 'f((1))'],
    ['x = (a + b) * c', 'x = a + b * c'],
    ["f(r'\\d')", "f('\\\\d')"],
    ["f(b'x')", "f('x')"],
    ['f(not x)', 'f(notx)'],
    ['f("{x}")', 'f(f"{x}")'],
    ['f(f"{x:>3}")', 'f(f"{x:<3}")'],
    ['a.b = 1', 'a.c = 1'],
  ])('keeps %j and %j apart', async (left, right) => {
    expect(await keyOf(left)).not.toBe(await keyOf(right));
  });

  it('abstracts long strings, and all literals on request', async () => {
    expect(await keyOf(`f("${'x'.repeat(81)}", "short", 1)`)).toBe('f(<str>,"short",1)');
    expect(await keyOf(`f("${'x'.repeat(50)}" "${'y'.repeat(50)}")`)).toBe('f(<str>)');
    expect(await keyOf('f("a", b"b", f"{app}", 1, -2.5, None, True)', true)).toBe(
      'f(<str>,<str>,<str>,<num>,-<num>,None,True)',
    );
  });

  it('shows each statement on one line', async () => {
    const source = 'def test():\n    assert_node(a, [  # tree\n        b,\n        c,\n    ])\n    x = 1; y = 2\n';
    const [sequence] = await statementSequences({ source, abstractLiterals: true });
    expect(sequence?.texts).toEqual(['assert_node(a, [b, c])', 'x = 1', 'y = 2']);
  });

  it('gives a sequence for each method of a class, also of an indented one', async () => {
    const source =
      '    class TestA:\n        def test_a(self):\n            self.f()\n        @d\n        def test_b(self): pass\n';
    expect(await statementSequences({ source, abstractLiterals: false })).toEqual([
      { name: 'TestA::test_a', keys: ['self.f()'], texts: ['self.f()'] },
      { name: 'TestA::test_b', keys: ['@d'], texts: ['@d'] },
    ]);
  });

  it('falls back to lines for a source that does not parse', async () => {
    expect(
      await statementSequences({ source: 'def test_a(:\n    # c\n    f(1)\n\n    g(', abstractLiterals: false }),
    ).toEqual([{ name: 'test_a', keys: ['f(1)', 'g('], texts: ['f(1)', 'g('] }]);
  });

  it('survives an expression that nests thousands deep', async () => {
    const sum = Array.from({ length: 20_000 }, (_, index) => `a${index}`).join(' + ');
    expect(await keysOf(`def test():\n    x = ${sum}\n    f(x)\n`)).toHaveLength(2);
  });
});
