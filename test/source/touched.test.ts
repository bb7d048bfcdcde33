import { createTwoFilesPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../src/source/module-names.js';
import { touchedSymbols } from '../../src/source/touched.js';

const path = 'src/pkg/a.py';
const touch = async (oldText: string, newText: string) =>
  (
    await touchedSymbols({
      patchText: createTwoFilesPatch(`a/${path}`, `b/${path}`, oldText, newText, '', '', { context: 2 }),
      oldText,
      newText,
      path,
    })
  ).symbols;

describe('touchedSymbols', () => {
  const text =
    'LIMIT = 1\n\n\nclass A:\n    size = 2\n\n    @deco\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef h():\n    def inner():\n        return 3\n    return inner\n';

  it.each([
    ['a method', 'return 1', 'return 9', ['A', 'f']],
    ['a decorator', '@deco', '@other', ['A', 'f']],
    ['a class attribute', 'size = 2', 'size = 3', ['A', 'size']],
    ['an inner function', 'return 3', 'return 4', ['h']],
    ['a constant', 'LIMIT = 1', 'LIMIT = 2', ['LIMIT']],
    ['nothing with a name', '\n\n\ndef h', '\n# comment\n\n\ndef h', []],
  ])('names %s', async (_, from, to, symbols) => {
    expect(new Set(await touch(text, text.replace(from, to)))).toEqual(new Set(symbols));
  });

  it('names what a change removes, adds or renames', async () => {
    expect(new Set(await touch(text, text.replace('def g', 'def renamed')))).toEqual(new Set(['A', 'g', 'renamed']));
    expect(await touch('', 'def fresh():\n    pass\n')).toEqual(['fresh']);
    expect(await touch('def old():\n    def __x__(): pass\n', '')).toEqual(['old']);
  });

  it('reads only the section of its file, and no broken patch', async () => {
    const patchText = '--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n-x\n+y\n';
    const input = { oldText: 'def f(): 1\n', newText: 'def f(): 1\n', path };
    expect((await touchedSymbols({ ...input, patchText })).symbols).toEqual([]);
    expect((await touchedSymbols({ ...input, patchText: '--- a/x\n+++ b/x\n@@ broken' })).symbols).toEqual([]);
  });
});

describe('modulesOf', () => {
  it.each([
    ['src/pkg/a/b.py', [], ['pkg.a.b', 'src.pkg.a.b', 'a.b']],
    ['pkg/__init__.py', [], ['pkg']],
    ['lib/pkg/a/__init__.py', [], ['pkg.a', 'lib.pkg.a']],
    ['mod.py', [], ['mod']],
    ['src/mod.py', [], ['mod', 'src.mod']],
    ['backend/app/x.py', ['backend'], ['app.x', 'backend.app.x']],
    ['packages/one/src/one/x.pyx', [], ['one.x', 'packages.one.src.one.x', 'one.src.one.x', 'src.one.x']],
    ['docs/my-conf.py', [], []],
    ['pkg/data.json', [], []],
  ])('%s', (file, roots, modules) => {
    expect(modulesOf({ path: file, roots })).toEqual(modules);
  });
});
