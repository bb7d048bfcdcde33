import { expect, test } from 'vitest';
import { decidingFiles } from '../../src/activities/deciding-files.js';
import type { Decision } from '../../src/core/decision.js';
import type { ChangedTest, Operation, Suite } from '../../src/core/suite.js';
import { applyEdit } from '../../src/source/apply-edit.js';

const BASE: Readonly<Record<string, string>> = {
  'tests/test_a.py': 'from helpers import make\n\n\ndef test_old():\n    assert make() == 1\n',
  'tests/helpers.py': 'def make():\n    return 1\n\n\ndef other():\n    return 0\n',
  'tests/__init__.py': 'class Mixin:\n    def test_shared(self):\n        assert self.make()\n',
  'tests/conftest.py': '',
  'other/helpers.py': 'def make():\n    return 1\n',
};
const base = { text: async (path: string) => BASE[path] ?? null };

/** The suite after these updates, one operation each. */
async function suiteAfter(operations: readonly Operation[]): Promise<Suite> {
  let files = new Map(Object.entries(BASE));
  let changed: ChangedTest[] = [];
  for (const [index, operation] of operations.entries()) {
    const result = await applyEdit({ files, operations: [operation] });
    if (result.kind === 'refused') throw new Error(result.reason);
    files = new Map(result.files);
    const now = result.changed.map((each) => ({ ...each, step: index + 1 }));
    changed = [...changed.filter((old) => !now.some((one) => one.file === old.file && one.name === old.name)), ...now];
  }
  const edits = operations.map((operation) => ({
    ...{ diagnosis: '', failedDirection: '', reuse: [], operations: [operation] },
  }));
  return {
    ...{ schema: 'testgrad.suite/1', step: operations.length, edits, files: {}, changed },
    testFiles: ['tests/test_a.py'],
  };
}

/** The files of deciding tests by path, after the updates. */
async function deciding(
  ids: readonly string[],
  operations: readonly Operation[],
  origin: 'created' | 'updated' = 'created',
) {
  const decidingTests = ids.map((testId) => ({ testId, origin, step: 1, class: 'issue' as const, quote: '' }));
  const suite = await suiteAfter(operations);
  const found = await decidingFiles({ suite, decision: { decidingTests } as unknown as Decision, base });
  return Object.fromEntries(found.map(({ path, after }) => [path, after ?? '']));
}

const create = (file: string, name: string, source: string, className?: string): Operation => ({
  ...{ op: 'create', file, name, source },
  ...(className === undefined ? {} : { className }),
});
const update = (file: string, name: string, source: string): Operation => ({
  ...{ op: 'update', file, test: name, source, staleBecause: 'x' },
});
const fresh = create('tests/test_a.py', 'test_new', 'def test_new(app):\n    assert app == 2\n');

test('the helpers of shared files above a deciding test come with it, those of others do not', async () => {
  const files = await deciding(
    ['tests/test_a.py::test_new'],
    [
      update('tests/helpers.py', 'make', 'def make():\n    return 2\n'),
      create('tests/conftest.py', 'app', '@pytest.fixture\ndef app():\n    return 2\n'),
      create('tests/__init__.py', 'test_more', 'def test_more(self):\n    assert True\n', 'Mixin'),
      update('other/helpers.py', 'make', 'def make():\n    return 3\n'),
      create('tests/test_a.py', 'test_rival', 'def test_rival():\n    assert False\n'),
      fresh,
    ],
  );
  expect(Object.keys(files).sort()).toEqual(['tests/conftest.py', 'tests/helpers.py', 'tests/test_a.py']);
  expect(files['tests/helpers.py']).toContain('return 2');
  expect(files['tests/conftest.py']).toContain('def app():');
  expect(files['tests/test_a.py']).toContain('def test_new(app):');
  expect(files['tests/test_a.py']).not.toContain('test_rival');
});

test('a deciding test of a class that was created as a whole comes with the class', async () => {
  const source =
    'class TestNew:\n    def make(self):\n        return 1\n\n    def test_it(self):\n        assert self.make()\n';
  const files = await deciding(
    ['tests/test_a.py::TestNew::test_it'],
    [create('tests/test_a.py', 'TestNew', source), fresh],
  );
  expect(files['tests/test_a.py']).toContain('class TestNew:');
  expect(files['tests/test_a.py']).not.toContain('test_new');
});

test('a test that only runs through a changed helper comes as that change', async () => {
  const helper = update('tests/helpers.py', 'make', 'def make():\n    return 2\n');
  const files = await deciding(['tests/test_a.py::test_old'], [helper, fresh], 'updated');
  expect(Object.keys(files)).toEqual(['tests/helpers.py']);
});

test('an inherited test comes from the file that defines it, and helpers of classes left out are left out', async () => {
  const rival =
    'class TestRival:\n    def make(self):\n        return 1\n\n    def test_it(self):\n        assert False\n';
  const files = await deciding(
    ['tests/test_a.py::TestX::test_more'],
    [
      create('tests/__init__.py', 'test_more', 'def test_more(self):\n    assert True\n', 'Mixin'),
      create('tests/test_a.py', 'TestRival', rival),
      update('tests/test_a.py', 'TestRival::make', 'def make(self):\n    return 2\n'),
    ],
  );
  expect(Object.keys(files)).toEqual(['tests/__init__.py']);
  expect(files['tests/__init__.py']).toContain('def test_more(self):');
});
