import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/suite.js';
import { applyEdit } from '../../src/source/apply-edit.js';

const file = 'tests/test_x.py';
const update = (test: string, source: string): Operation => ({ op: 'update', file, test, source, staleBecause: 'why' });
const remove = (test: string): Operation => ({ op: 'delete', file, test, obsoleteBecause: 'why' });

/** The file after an operation, or the reason of its refusal. */
async function edited(text: string, operation: Operation): Promise<string> {
  const result = await applyEdit({ files: new Map([[file, text]]), operations: [operation] });
  return result.kind === 'refused' ? `refused: ${result.reason}` : (result.files.get(file) ?? '');
}

const TABLE = `@pytest.mark.parametrize("a, b", [
    (1, 2),  # one
    pytest.param(3, 4, id="x"),
    ("s", None)
])
def test_a(a, b):
    assert a
`;
const IDS = `class A:
    @parametrize("a", ("x", "y"), ids=["one", "two"])
    @parametrize("b", [1, Color.RED])
    async def test_a(self, a, b): pass
`;
const SUB = `class A:
    def test_a(self):
        cases = [
            (1, "x"),
            (2, "y"),  # two
        ]
        for n, s in cases:
            with self.subTest(n=n, s=s):
                self.check(n, s)
`;

describe('the update of a row', () => {
  it.each([
    [
      'by its id',
      'test_a[x]',
      'pytest.param(\n    9,\n    8,\n)',
      'pytest.param(3, 4, id="x")',
      'pytest.param(\n        9,\n        8,\n    )',
    ],
    ['by the id that pytest makes', `${file}::test_a[1-2]`, '(5, 6),', '(1, 2)', '(5, 6)'],
    ['by strings and None', 'test_a[s-None]', '("t", """\nx""")', '("s", None)', '("t", """\nx""")'],
    ['by its text', "test_a[('s',None)]", '(7, 7)  # comment', '("s", None)', '(7, 7)'],
  ])('%s changes nothing else', async (_, test, source, old, written) => {
    expect(await edited(TABLE, update(test, source))).toBe(TABLE.replace(old, written));
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(await edited(crlf(TABLE), update(test, source))).toBe(crlf(TABLE.replace(old, written)));
  });

  it.each([
    ['an entry of ids', IDS, 'A::test_a[two]', '"z"', '"y"', '"z"'],
    ['one of several decorators', IDS, 'A::test_a[1]', '2', '1', '2'],
    ['a member of an enumeration', IDS, 'A::test_a[Color.RED]', 'Color.BLUE', 'Color.RED', 'Color.BLUE'],
    ['a sub-test', SUB, 'A::test_a[n=2, s="y"]', '(3, "z")', '(2, "y")', '(3, "z")'],
    ["a sub-test in unittest's words", SUB, "A::test_a[(n=1, s='x')]", '(0, "x")', '(1, "x")', '(0, "x")'],
    [
      'a constant of the module',
      `CASES = [1, 2]\n@parametrize("a", CASES)\ndef test_a(a): 1\n`,
      'test_a[2]',
      '3',
      ', 2',
      ', 3',
    ],
    [
      'a row of parameterized',
      `@parameterized.expand([(1,), (2,)])\ndef test_a(a): 1\n`,
      'test_a[(2,)]',
      '(3,)',
      '(2,)',
      '(3,)',
    ],
  ])('reaches %s', async (_, text, test, source, old, written) => {
    expect(await edited(text, update(test, source))).toBe(text.replace(old, written));
  });

  it('is reported as a change of its test, also where the rows are in a constant', async () => {
    const text = 'CASES = [1, 2]\n@parametrize("a", CASES)\ndef test_a(a): 1\n';
    const result = await applyEdit({ files: new Map([[file, text]]), operations: [update('test_a[2]', '3')] });
    const source = '@parametrize("a", CASES)\ndef test_a(a): 1';
    expect(result).toMatchObject({ changed: [{ op: 'update', name: 'test_a', source, reason: 'why' }] });
  });

  it('gives way to a complete definition, whatever row the id names', async () => {
    expect(await edited(TABLE, update('test_a[x]', 'def test_a(): 1'))).toBe('def test_a(): 1\n');
  });

  it.each([
    ['an unknown row', TABLE, 'test_a[zz]', '1', /names no row.*`\[1-2\]`, `\[x\]`, `\[s-None\]`/],
    ['a row of equal ones', '@parametrize("a", [1, 1])\ndef test_a(a): 1\n', 'test_a[1]', '2', /names 2 rows/],
    ['a combination of two parametrisations', IDS, 'A::test_a[1-two]', '1', /names no row.*`\[two\]`/],
    ['too few values', TABLE, 'test_a[x]', '(1,)', /gives 1 values, and 2/],
    ['two values without parentheses', TABLE, 'test_a[x]', '1, 2', /is one value/],
    ['more than a value', TABLE, 'test_a[x]', '1]; import os; [2', /is one value/],
    ['an assignment', TABLE, 'test_a[x]', 'a = (1, 2)', /is one value/],
    ['an unpacked list', TABLE, 'test_a[x]', '*more', /is one value/],
    ['rows made at run time', '@parametrize("a", range(3))\ndef test_a(a): 1\n', 'test_a[2]', '9', /made at run time/],
    [
      'a shared constant',
      'C = [1, 2]\nD = C\n@parametrize("a", C)\ndef test_a(a): 1\n',
      'test_a[2]',
      '9',
      /other code/,
    ],
    ['rows of a fixture', 'def test_a(fixture): 1\n', 'test_a[2]', '9', /no rows that are written out/],
    ['a class', 'class A:\n    x = 1\n', 'A[2]', '9', /is a class/],
    ['an unknown test', TABLE, 'test_b[2]', '9', /no `test_b`/],
  ])('is refused for %s', async (_, text, test, source, reason) => {
    expect(await edited(text, update(test, source))).toMatch(reason);
  });
});

describe('the removal of a row', () => {
  it.each([
    ['with its line and comment', TABLE, 'test_a[1-2]', '    (1, 2),  # one\n', ''],
    ['at the end', TABLE, 'test_a[s-None]', ',\n    ("s", None)', ''],
    ['with its id', IDS, 'A::test_a[two]', '("x", "y"), ids=["one", "two"]', '("x",), ids=["one"]'],
    ['with its id, the first', IDS, 'A::test_a[one]', '("x", "y"), ids=["one", "two"]', '("y",), ids=["two"]'],
    ['of a sub-test', SUB, 'A::test_a[(2, "y")]', '            (2, "y"),  # two\n', ''],
    [
      'out of a tuple',
      '@parametrize("a", (\n    1,\n    2\n))\ndef test_a(a): 1\n',
      'test_a[1]',
      '    1,\n    2\n',
      '    2,\n',
    ],
    ['behind a comment', '@parametrize("a", [1,  # one\n    2])\ndef test_a(a): 1\n', 'test_a[2]', '    2]', '    ]'],
  ])('%s', async (_, text, test, old, left) => {
    expect(await edited(text, remove(test))).toBe(text.replace(old, left));
  });

  it.each([
    ['the only row', '@parametrize("a", [1])\ndef test_a(a): 1\n', 'test_a[1]', /no other row: delete the test/],
    [
      'ids elsewhere',
      'I = ["a", "b"]\n@parametrize("a", [1, 2], ids=I)\ndef test_a(a): 1\n',
      'test_a[1]',
      /ids of the rows/,
    ],
    ['no row at all, and not the whole test', 'def test_a(a): 1\n', 'test_a[1]', /no rows that are written out/],
  ])('is refused for %s', async (_, text, test, reason) => {
    expect(await edited(text, remove(test))).toMatch(reason);
  });
});
