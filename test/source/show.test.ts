import { describe, expect, it } from 'vitest';
import { showTest } from '../../src/source/show.js';

const file = 'tests/unit/test_x.py';
const show = (text: string, name: string, supportFiles: { path: string; text: string }[] = []) =>
  showTest({ file, text, name, supportFiles });

const text = `import os
import unused
from pkg import (
    Engine,
    Other,
)

LIMIT = BASE + 1
BASE = 1
UNUSED = 2


def helper(x):
    return deeper(x)


def deeper(x):
    return os.getcwd()


def unrelated():
    pass


class Base(TestCase):
    @classmethod
    def setUpClass(cls):
        pass

    def test_inherited(self):
        pass


class TestA(Base):
    size = 3

    def setUp(self):
        self.engine = Engine()

    def test_other(self):
        pass

    def make(self):
        return self.size

    @mark
    def test_a(self):
        assert helper(self.make()) == LIMIT
`;

describe('showTest', () => {
  it('shows class headers, set-up, used methods, helpers, constants and imports, and nothing else', async () => {
    expect(await show(text, 'TestA::test_a')).toBe(`# ${file}, imports
import os
from pkg import (
    Engine,
    Other,
)

# ${file}, lines 8-9
LIMIT = BASE + 1
BASE = 1

# ${file}, lines 13-14
def helper(x):
    return deeper(x)

# ${file}, lines 17-18
def deeper(x):
    return os.getcwd()

# ${file}, lines 25-28
class Base(TestCase):
    @classmethod
    def setUpClass(cls):
        pass

# ${file}, lines 34-35
class TestA(Base):
    size = 3

# ${file}, lines 37-38
    def setUp(self):
        self.engine = Engine()

# ${file}, lines 43-44
    def make(self):
        return self.size

# ${file}, lines 46-48
    @mark
    def test_a(self):
        assert helper(self.make()) == LIMIT`);
  });

  it('finds fixtures in the nearest conftest, with what they build on', async () => {
    const shown = await show(
      '@pytest.mark.usefixtures("quiet")\n@pytest.mark.parametrize("given", [1])\ndef test_a(app, given, missing): pass\n',
      'test_a[1]',
      [
        { path: 'conftest.py', text: '@fixture\ndef app(): far\n@fixture\ndef root(): 1\n@fixture\ndef given(): 2\n' },
        { path: 'other/conftest.py', text: '@fixture\ndef quiet(): elsewhere\n' },
        {
          path: 'tests/conftest.py',
          text: 'import a\n@fixture(name="app")\ndef make_app(root): a.near\n@fixture(autouse=True)\ndef always(): 1\ndef hook(): 2\n',
        },
      ],
    );
    expect(shown).toBe(`# ${file}, lines 1-3
@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("given", [1])
def test_a(app, given, missing): pass

# tests/conftest.py, imports
import a

# tests/conftest.py, lines 2-5
@fixture(name="app")
def make_app(root): a.near
@fixture(autouse=True)
def always(): 1

# conftest.py, lines 3-4
@fixture
def root(): 1

# other/conftest.py, lines 1-2
@fixture
def quiet(): elsewhere`);
  });

  it('shows the replaced fixture that a fixture builds on', async () => {
    const shown = await show('@fixture\ndef app(app): return app\n\n\ndef test_a(app): pass\n', 'test_a', [
      { path: 'conftest.py', text: '@fixture\ndef app(): outer\n' },
    ]);
    expect(shown).toContain('outer');
    expect(shown).toContain('return app');
  });

  it('follows an inherited test to its base class, and shows whole classes', async () => {
    expect(await show(text, 'TestA::test_inherited')).toContain('    def test_inherited(self):');
    const shown = await show(text, 'TestA');
    expect(shown).toContain('    def test_other(self):');
    expect(shown).toContain('    def setUpClass(cls):');
  });

  it('cuts long helpers to their beginning', async () => {
    const long = `def helper():\n${'    x\n'.repeat(100)}\n\ndef test_a(): helper()\n`;
    expect(await show(long, 'test_a')).toContain(`# ${file}, lines 1-10 (beginning)`);
  });

  it('is null for what the file does not define', async () => {
    expect(await show(text, 'TestA::test_none')).toBeNull();
    expect(await show('class A(A): pass\n', 'A::test_x')).toBeNull();
  });
});
