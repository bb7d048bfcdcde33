import { describe, expect, it } from 'vitest';
import { buildInventory, type Inventory, inventoryOfFile, renderInventory } from '../../src/source/inventory.js';

const build = ({
  files,
  tests = Object.keys(files).filter(
    (path) => /test/.test(path.slice(path.lastIndexOf('/') + 1)) && !/conftest/.test(path),
  ),
  projectModules = [],
}: {
  files: Record<string, string>;
  tests?: string[];
  projectModules?: string[];
}): Promise<Inventory> =>
  buildInventory({ testFiles: tests, read: async (path) => files[path] ?? null, projectModules });

/** Entries of an aspect as `symbol detail ×count file:line`. */
const shown = ({ entries }: Inventory, aspect: string): string[] =>
  entries
    .filter((entry) => entry.aspect === aspect)
    .map(
      ({ symbol, detail = '', count, file, line }) => `${symbol}${detail && ` ${detail}`} ×${count} ${file}:${line}`,
    );

const ofOne = async (text: string, aspect: string): Promise<string[]> =>
  shown(await build({ files: { 'tests/test_x.py': text }, projectModules: ['pkg'] }), aspect).map((line) =>
    line.replace(' tests/test_x.py', ''),
  );

describe('project APIs and imports', () => {
  it('counts what is reached through an import, not where it is bound', async () => {
    const text = `import pkg.util
import pkg as p
from pkg import models
from pkg.core import Engine, run as start, unused
import os
def test_a():
    pkg.util.empty(Engine(), start=1)
    p.Client.get(1)
    p.Client()
    start(models.Model, models.Model.objects, models.make)
    os.getcwd()
def test_b(Engine):
    models = Engine
    return models.Model
class T(Engine): pass
`;
    expect(await ofOne(text, 'api')).toEqual([
      'pkg.Client ×2:8',
      'pkg.models.Model ×2:10',
      'pkg.util.empty ×1:7',
      'pkg.core.Engine ×1:7',
      'pkg.models ×1:10',
      'pkg.core.run ×1:10',
    ]);
  });

  it('takes a package for the project when the repository has it, from an import in a function too', async () => {
    const text = 'def test_a():\n    from lib import thing\n    from other import x\n    thing(x)\n    x()\n';
    const inventory = await build({ files: { 'tests/test_x.py': text, 'src/lib/__init__.py': '' } });
    expect(shown(inventory, 'api')).toEqual(['lib.thing ×1 tests/test_x.py:4']);
  });
});

describe('assertion conventions and expected values', () => {
  it('reads bare asserts', async () => {
    const text = `import pytest
from pkg import oo
LIMIT = 3
def test_a(x, y):
    assert x == 'a', "why"
    assert "a" == x
    assert 'b' in x and x == -1
    assert not x
    assert x is None
    assert x.is_set(1)
    assert isinstance(x, int)
    assert x == oo
    assert x == LIMIT
    assert x == y
    assert x == y.a
    assert f(x) == g(2)
    assert x == [1, 2] != y
    assert x == [y, y]
    assert x == pytest.approx(0.5)
`;
    expect(await ofOne(text, 'assertion')).toEqual([
      'assert … == … ×9:5',
      'assert … and … ×1:7',
      'assert not … ×1:8',
      'assert … is None ×1:9',
      'assert ….is_set(…) ×1:10',
      'assert isinstance(…) ×1:11',
      'assert … == … != … ×1:17',
      'pytest.approx ×1:19',
    ]);
    expect(await ofOne(text, 'expected-value')).toEqual([
      '"a" ×2:5',
      'LIMIT ×1:3',
      '"b" ×1:7',
      '-1 ×1:7',
      'None ×1:9',
      'oo ×1:12',
      '[1, 2] ×1:17',
      'pytest.approx(0.5) ×1:19',
    ]);
  });

  it('reads what a local holds where it is compared', async () => {
    const text = `def test_a(x):
    expected = "one"
    assert x == expected
    expected: str = Error(2)
    actual = Thing(1)
    self.assertEqual(actual, expected)
    expected = compute(1)
    assert actual == expected
    for a, b in x:
        assert a == b
    assert x.startswith("pre")
def test_b(expected):
    assert x == expected
`;
    expect(await ofOne(text, 'expected-value')).toEqual(['"one" ×1:3', 'Error(2) ×1:6', '"pre" ×1:11']);
  });

  it('reads methods, functions of libraries and a runner of its own', async () => {
    const text = `import numpy as np
from pkg.testing import raises, assert_node
class ATests(TestCase):
    def test_a(self):
        self.assertEqual(f(), [Error("x", id=1)])
        self.assertEqual(f(), [Error("y")])
        self.assertEqual(200, f())
        self.assertIn("in", f())
        self.assertTrue(f() == 5)
        self.assertIsInstance(f(), Error)
        with self.assertRaisesMessage(Error, "message"):
            f()
        with self.assertNumQueries(2):
            f()
        f().assertEqual(1, 2)
        mock.assert_called_once_with(7)
        np.testing.assert_allclose(f(), 1.5)
        raises(ValueError, lambda: f())
        x.raises(1)
        result.stdout.fnmatch_lines(["*1 passed*"])
        result.assert_outcomes(passed=1, failed=0)
`;
    expect(await ofOne(text, 'assertion')).toEqual([
      'self.assertEqual ×3:5',
      'self.assertIn ×1:8',
      'self.assertTrue ×1:9',
      'self.assertIsInstance ×1:10',
      'self.assertRaisesMessage ×1:11',
      'self.assertNumQueries ×1:13',
      '….assertEqual ×1:15',
      '….assert_called_once_with ×1:16',
      'np.testing.assert_allclose ×1:17',
      'raises ×1:18',
      '….fnmatch_lines ×1:20',
      '….assert_outcomes ×1:21',
    ]);
    expect(await ofOne(text, 'expected-value')).toEqual([
      '2 ×2:13',
      '[Error(…)] ×1:5',
      '[Error("y")] ×1:6',
      '200 ×1:7',
      '"in" ×1:8',
      '5 ×1:9',
      '"message" ×1:11',
      '7 ×1:16',
      '1.5 ×1:17',
      '["*1 passed*"] ×1:20',
      'passed=1 ×1:21',
      'failed=0 ×1:21',
    ]);
  });

  it('knows functions that assert as ways of asserting, wherever they are', async () => {
    const files = {
      'tests/test_x.py': `from .util import check, same
from tests.util import quiet
def ok(x):
    with warnings():
        assert x
class TestA:
    def verify(self, x):
        self.assertTrue(x)
    def test_a(self):
        self.verify(1)
        ok(check(2)); ok(1); same(1); quiet()
`,
      'tests/util.py': 'def check(a):\n    raise AssertionError(a)\nfrom .deep import same\ndef quiet(): pass\n',
      'tests/deep.py': '\n\ndef same(a, b=1):\n    assert a == b\n',
    };
    expect(shown(await build({ files }), 'assertion')).toEqual([
      'ok (x) ×2 tests/test_x.py:11',
      'assert … ×1 tests/test_x.py:5',
      'self.assertTrue ×1 tests/test_x.py:8',
      'self.verify (self, x) ×1 tests/test_x.py:10',
      'check (a) ×1 tests/test_x.py:11',
      'same (a, b=1) ×1 tests/test_x.py:11',
    ]);
  });
});

describe('set-up and fixtures', () => {
  it('follows a name through every conftest to the nearest definition', async () => {
    const files = {
      'conftest.py': 'import pytest\npytest_plugins = ["pkg.testing.fixtures"]\n@pytest.fixture\ndef app(): pass\n',
      'tests/conftest.py': `from pytest import fixture
from .shared import imported
@fixture(autouse=True, scope="session")
def env(tmp_path): pass
@fixture(name="named")
def _named(app): pass
`,
      'tests/shared.py': 'import pytest\n@pytest.fixture\ndef imported(): pass\n',
      'tests/a/conftest.py':
        'import pytest\n@pytest.fixture\ndef app(app): pass\n@pytest.fixture\ndef unused(): pass\n',
      'tests/b/conftest.py': 'import pytest\n@pytest.fixture\ndef app(): pass\n',
      'pkg/testing/fixtures.py': 'import pytest\n\n@pytest.fixture()\ndef make_app(): pass\n',
      'tests/a/test_x.py': `import pytest
@pytest.fixture
def local(app): pass
def test_a(app, local, named, make_app, imported, mocker): pass
def test_b(app, *, client): pass
def helper(app): pass
def test_c(request):
    request.getfixturevalue("local")
`,
    };
    expect(shown(await build({ files }), 'fixture')).toEqual([
      'app ×3 tests/a/conftest.py:3',
      'local ×2 tests/a/test_x.py:3',
      'mocker ×1 tests/a/test_x.py:4',
      'client ×1 tests/a/test_x.py:5',
      'request of pytest ×1 tests/a/test_x.py:7',
      'named ×1 tests/conftest.py:6',
      'make_app ×1 pkg/testing/fixtures.py:4',
      'imported ×1 tests/shared.py:3',
      'unused ×0 tests/a/conftest.py:5',
      'env autouse, scope session ×0 tests/conftest.py:4',
      'app ×0 conftest.py:4',
    ]);
  });

  it('tells fixtures from what decorators fill in', async () => {
    const text = `import pytest
from unittest import mock
from hypothesis import given
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("always")]
with_size = pytest.mark.parametrize("size", [1])
@pytest.mark.parametrize("fixture, other", [(1, 2)])
def test_a(fixture, other, real): pass
@pytest.mark.parametrize(
    # sizes
    ("x", "y"), [(1, 2)], indirect=["x"])
@with_size
def test_b(x, y, size): pass
@mock.patch("a.b")
@mock.patch("a.c", new=1)
@mock.patch.object(A, "f", return_value=None)
def test_c(one, two, real): pass
@given(st.integers(), z=st.text())
def test_d(real, z, n): pass
@pytest.mark.parametrize("kind", [1])
class TestA:
    @pytest.mark.usefixtures("used")
    def test_e(self, kind, real): pass
    @staticmethod
    def test_f(real): pass
class BTests(Local):
    @inject
    def test_g(self, injected): pass
class Local(unittest.TestCase):
    pass
def pytest_generate_tests(metafunc):
    metafunc.parametrize("generated", [1])
def test_h(generated, default=1): pass
`;
    const names = (await ofOne(text, 'fixture')).filter((line) => !line.startsWith('@'));
    expect(names).toEqual(['real ×5:7', 'always ×1:4', 'x ×1:12', 'used ×1:21']);
  });

  it('keeps the fixtures of a class to its tests and those of its subclasses', async () => {
    const files = {
      'tests/conftest.py': 'import pytest\n@pytest.fixture\ndef app(): pass\n',
      'tests/test_x.py': `import pytest
def test_a(app): pass
class TestBase:
    keys = pytest.mark.parametrize("key", [1])
    @pytest.fixture
    def app(self, app): pass
    @pytest.fixture(autouse=True)
    def prepare(self): pass
    @keys
    def test_b(self, app, key): pass
class TestMore(TestBase):
    def test_c(self, app): pass
class TestOther:
    def test_d(self, app): pass
`,
    };
    const fixtures = shown(await build({ files }), 'fixture').filter((line) => !line.startsWith('@'));
    expect(fixtures).toEqual([
      'app ×3 tests/conftest.py:3',
      'app ×2 tests/test_x.py:6',
      'prepare autouse ×1 tests/test_x.py:8',
    ]);
  });

  it('counts set-up by name, decorators with their arguments, and markers', async () => {
    const text = `from pkg.test.utils import isolate_apps
pytestmark = pytest.mark.django_db
@isolate_apps("a")
class ATests(TestCase):
    databases = {"default"}
    other = 1
    @classmethod
    def setUpTestData(cls): pass
    def setUp(self): pass
    @isolate_apps("b")
    @skipIf(
        1,
        "x")
    def test_a(self): pass
    @isolate_apps("b")
    async def test_b(self): pass
@dataclass
class Plain: pass
class BTests(ATests):
    async def asyncSetUp(self): pass
    def setUp(self): pass
`;
    expect(await ofOne(text, 'fixture')).toEqual([
      '@isolate_apps ("b") from pkg.test.utils ×3:3',
      'setUp ×2:9',
      '@pytest.mark.django_db ×1:2',
      'databases = … ×1:5',
      'setUpTestData ×1:8',
      '@skipIf (1, "x") ×1:10',
      'asyncSetUp ×1:20',
    ]);
  });
});

describe('test base classes', () => {
  it('says where they come from, through re-exports, and leaves other classes alone', async () => {
    const files = {
      'tests/app/tests.py': `import unittest
from pkg.test import SimpleTestCase
from .base import Mixin as M
from . import base
class Shared(M, Generic[T], SimpleTestCase):
    pass
class A(Shared, base.Other):
    def test_a(self): pass
class B(unittest.TestCase):
    def test_b(self): pass
class TestModel(models.Model):
    name = 1
class TestPlain:
    def test_c(self): pass
class Inner(SimpleTestCase): pass
class ParallelTestChecker(BaseChecker): pass
class Slow(ParallelTestChecker): pass
class TestAgain(BaseTestThings): flag = 1
`,
      'pkg/test/__init__.py': 'from pkg.test.testcases import SimpleTestCase, TestCase\n',
      'pkg/test/testcases.py': 'import unittest\n\nclass SimpleTestCase(unittest.TestCase):\n    pass\n',
      'tests/app/base.py': 'class Mixin:\n    def test_m(self): pass\nclass Other: pass\n',
    };
    expect(shown(await build({ files, tests: ['tests/app/tests.py'] }), 'base-class')).toEqual([
      'SimpleTestCase from pkg.test ×2 pkg/test/testcases.py:3',
      'M from .base ×1 tests/app/base.py:1',
      'Shared ×1 tests/app/tests.py:5',
      'base.Other from . ×1 tests/app/tests.py:7',
      'unittest.TestCase ×1 tests/app/tests.py:9',
      'BaseTestThings ×1 tests/app/tests.py:18',
    ]);
  });
});

describe('helpers', () => {
  it('gives signature, definition and use, and what a used utility offers beside', async () => {
    const files = {
      'pkg/tests/test_x.py': `from pkg.testing import near
from ..testing import util
from .models import Author
from other.testing import foreign
foreign()
def make(a, *, b: int = 1,
         c=None) -> list:
    return Author(near)
class Dummy(Base):
    def used(self): pass
class A:
    def build(self): pass
    def test_a(self):
        make(self.build(), make=make)
        util.wrap(1)
class B(A):
    def test_b(self, make):
        self.build(); make(1)
`,
      'pkg/__init__.py': '',
      'pkg/testing/__init__.py': 'def near(x):\n    return x\ndef far(): pass\ndef _own(): pass\n',
      'pkg/testing/util.py': 'def wrap(x): pass\nclass Tool: pass\n',
      'pkg/tests/models.py': '\nclass Author(Model): pass\n',
    };
    const inventory = await build({ files });
    expect(shown(inventory, 'helper')).toEqual([
      'make (a, *, b: int = 1, c=None) -> list ×2 pkg/tests/test_x.py:6',
      'A.build (self) ×2 pkg/tests/test_x.py:12',
      'pkg.testing.near (x) ×1 pkg/testing/__init__.py:1',
      '..testing.util.wrap (x) ×1 pkg/testing/util.py:1',
      '.models.Author class (Model) ×1 pkg/tests/models.py:2',
      'Dummy class (Base) ×0 pkg/tests/test_x.py:9',
      'pkg.testing.far () ×0 pkg/testing/__init__.py:3',
      '..testing.util.Tool class ×0 pkg/testing/util.py:2',
    ]);
    const make = inventory.entries.find(({ symbol }) => symbol === 'make');
    expect(make?.usedAt).toEqual({ file: 'pkg/tests/test_x.py', line: 14 });
    expect(shown(inventory, 'api')).toEqual([]);
  });

  it('keeps relative names of two folders apart', async () => {
    const files = {
      'a/tests/test_x.py': 'from .models import M\nM(); M()\n',
      'b/tests/test_y.py': 'from .models import M\nM()\n',
      'a/tests/models.py': '\n\nclass M: pass\n',
    };
    expect(shown(await build({ files }), 'helper')).toEqual([
      '.models.M class ×2 a/tests/models.py:3',
      '.models.M ×1 b/tests/test_y.py:2',
    ]);
  });
});

describe('the whole', () => {
  it('reports files that do not parse, support files too, and goes on', async () => {
    const files = {
      'tests/test_bad.py': 'def f(:\n',
      'tests/test_worse.py': 'def f():\nx = 1\n',
      'tests/conftest.py': 'class (\n',
      'tests/test_x.py': 'assert x == 1\n',
    };
    const inventory = await build({ files });
    expect(inventory.skipped.map(({ file }) => file)).toEqual([
      'tests/test_bad.py',
      'tests/test_worse.py',
      'tests/conftest.py',
    ]);
    expect(inventory.skipped[0]?.reason).toBe('syntax error in line 1');
    expect(shown(inventory, 'assertion')).toEqual(['assert … == … ×1 tests/test_x.py:1']);
  });

  it('asks for each file once, leaves out what is gone, and gives the same again', async () => {
    const files: Record<string, string> = {
      'tests/test_x.py': 'from .a import b\nfrom .a import c\nb(c)\n',
      'tests/a.py': 'from .a import b\nfrom .test_x import *\n',
    };
    const asked: string[] = [];
    const read = async (path: string): Promise<string | null> => {
      asked.push(path);
      return files[path] ?? null;
    };
    const once = await buildInventory({ testFiles: ['tests/test_x.py', 'tests/gone.py'], read, projectModules: [] });
    expect(new Set(asked).size).toBe(asked.length);
    const again = await buildInventory({ testFiles: ['tests/test_x.py', 'tests/gone.py'], read, projectModules: [] });
    expect(again).toEqual(once);
    expect(JSON.parse(JSON.stringify(await inventoryOfFile({ path: 'a.py', text: 'x = 1' })))).toEqual(
      await inventoryOfFile({ path: 'a.py', text: 'x = 1' }),
    );
  });

  it('does not run out of stack on deep nesting', async () => {
    const text = `x = ${'('.repeat(4000)}1${')'.repeat(4000)}\nassert y == 1\n`;
    const file = await inventoryOfFile({ path: 'tests/test_deep.py', text });
    expect(file.problem).toBeNull();
    expect(file.uses.map(({ symbol }) => symbol)).toEqual(['assert … == …', '1']);
  });

  it.each([
    ['an unexpected indent', 'def test_a():\n    x\n      y\n', 'syntax error in line 3'],
    ['an indented top level', 'x = 1\n    y = 2\n', 'syntax error in line 2'],
    ['a block of comments', 'if x:\n    # nothing\ny\n', 'syntax error in line 1'],
    ['two statements on a line', 'def test_a():\n    x; y\n    z\n', null],
    ['a comment that stands out', 'def test_a():\n    x\n# here\n    y\n', null],
  ])('sees what the grammar lets pass: %s', async (_, text, problem) => {
    const file = await inventoryOfFile({ path: 'test_a.py', text });
    expect(file.problem).toBe(problem);
  });
});

describe('renderInventory', () => {
  const countTokens = (text: string): number => text.length;
  const entry = (aspect: 'api' | 'helper' | 'expected-value', symbol: string, count: number) =>
    ({ aspect, symbol, file: 'tests/a/tests.py', line: 3, count }) as const;
  const inventory: Inventory = {
    entries: [
      ...Array.from({ length: 40 }, (_, index) => entry('expected-value', `${100 + index}`, 90 - index)),
      entry('api', 'pkg.A', 2),
      entry('api', 'pkg.B', 1),
      { ...entry('helper', 'make', 5), detail: '(a)', usedAt: { file: 'tests/b.py', line: 9 } },
    ],
    skipped: [{ file: 'tests/bad.py', reason: 'syntax error in line 1' }],
  };

  it('has a line an entry, and the files by their whole paths', () => {
    const text = renderInventory({
      inventory: { ...inventory, entries: inventory.entries.slice(39) },
      countTokens,
      maxTokens: 999,
    });
    expect(text.split('\n')).toEqual([
      'Files named below: tests/a/tests.py, tests/b.py',
      'Project APIs and imports:',
      '  pkg.A ×2 (a/tests.py:3)',
      '  pkg.B ×1 (a/tests.py:3)',
      'Expected values:',
      '  139 ×51 (a/tests.py:3)',
      'Helpers:',
      '  make(a) ×5 (a/tests.py:3; used b.py:9)',
      'Not read: tests/bad.py (syntax error in line 1).',
    ]);
  });

  it('keeps to its tokens at any size and drops the least used of each aspect first', () => {
    const whole = renderInventory({ inventory, countTokens, maxTokens: 9999 })
      .split('\n')
      .concat('Files named below: tests/a/tests.py');
    for (let maxTokens = 0; maxTokens < 1500; maxTokens += 7) {
      const text = renderInventory({ inventory, countTokens, maxTokens });
      expect(text.length).toBeLessThanOrEqual(maxTokens);
      const values = text.match(/^ {2}1\d\d /gm) ?? [];
      expect(values).toEqual(values.map((_, index) => `  ${100 + index} `));
      expect(text.split('\n').filter((line) => line !== '' && !line.includes('…') && !whole.includes(line))).toEqual(
        [],
      );
    }
  });

  it('gives every aspect its share before one gets more', () => {
    const text = renderInventory({ inventory, countTokens, maxTokens: 500 });
    expect(text).toContain('pkg.B ×1');
    expect(text).toContain('make(a) ×5');
    expect(text).toMatch(/ {2}104 [\s\S]*… \d+ more, used less/);
  });

  it('does not let unread files crowd out the rest', () => {
    const skipped = Array.from({ length: 50 }, (_, index) => ({ file: `tests/bad_${index}.py`, reason: 'x' }));
    const text = renderInventory({ inventory: { ...inventory, skipped }, countTokens, maxTokens: 400 });
    expect(text).toContain('pkg.A ×2');
    expect(text.endsWith('tests/bad_2.py (x), and 47 more.')).toBe(true);
  });

  it('has nothing to say about nothing', () => {
    expect(renderInventory({ inventory: { entries: [], skipped: [] }, countTokens, maxTokens: 10 })).toBe('');
  });
});
