import { expect, it } from 'vitest';
import { whyMissing } from '../../src/source/missing-name.js';
import { outlineOf } from '../../src/source/outline.js';
import { loadPython } from '../../src/source/parser.js';

it.each([
  ['in a new file', '', 'test_a', /create the test/],
  ['assigned', 'x = 1\ntest_a = make()\n', 'test_a', /Line 2 assigns it/],
  ['assigned in a class', 'class A:\n    test_a = make()\n', 'A::test_a', /Line 2 assigns it/],
  ['imported', 'from a import b as test_a\n', 'test_a', /imported in line 1/],
  ['inside of a function', 'def a():\n    def test_b(): 1\n', 'a::test_b', /`a` is a function/],
  [
    'inherited over two classes',
    'class A:\n    def test_a(self): 1\nclass B(A): 1\nclass C(X, B): 1\n',
    'C::test_a',
    /`C` inherits it: update `A::test_a`/,
  ],
  ['inherited from elsewhere', 'class C(m.Base): 1\n', 'C::test_a', /inherits it from `m.Base`/],
  ['of a class that inherits from itself', 'class C(C): 1\n', 'C::test_a', /^There is no `C::test_a` in the file\.$/],
  [
    'made by a decorator',
    'class A:\n    @parameterized.expand([(1,)])\n    def test_add(self, x): 1\n',
    'A::test_add_0',
    /decorator of `A::test_add` makes it at run time/,
  ],
  ['put into globals', 'for n in names:\n    globals()["test_" + n] = make(n)\n', 'test_a', /run time in line 2/],
  ['of another class', 'class A:\n    def test_long(self): 1\n', 'B::test_long', /There is `A::test_long`/],
  ['in dotted form', 'class A:\n    def test_a(self): 1\n', 'tests.test_x.A.test_a', /There is `A::test_a`/],
])('says where a name is: %s', async (_, text, path, reason) => {
  const python = await loadPython();
  const outline = python({ text, use: (root) => outlineOf({ root, text }) });
  expect(whyMissing({ outline, path })).toMatch(reason);
});
