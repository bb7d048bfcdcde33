import { expect, test } from 'vitest';
import { editSuite } from '../../src/activities/edit-suite.js';
import type { Services } from '../../src/activities/services.js';
import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { Suite } from '../../src/core/suite.js';

const BASE: Readonly<Record<string, string>> = {
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'tests/test_base.py': 'class Base:\n    def make(self):\n        return 1\n',
  'tests/helpers.py': 'def make():\n    return 1\n',
};
const SUITE: Suite = {
  ...{ schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [] },
  testFiles: ['tests/test_a.py', 'tests/test_base.py'],
};

/** The suite after a function was added to a file, for a runner. */
async function edited(file: string, runner: 'pytest' | 'unittest') {
  const bytes = async (path: string) => (BASE[path] === undefined ? null : Buffer.from(BASE[path]));
  const subject = {
    suite: SUITE,
    base: { dir: '', text: async (path: string) => BASE[path] ?? null, bytes },
    instance: { environment: { runner } } as InstanceSpec,
  };
  const operation = { op: 'create', file, name: 'test_new', source: 'def test_new():\n    assert True\n' } as const;
  const result = await editSuite({
    services: { store: createMemoryStore() } as unknown as Services,
    subject,
    edit: { diagnosis: '', failedDirection: '', reuse: [], operations: [operation] },
    step: 1,
  });
  if (result.kind === 'refused') throw new Error(result.reason);
  return result;
}

test('a file from which the runner takes tests is a test file of the suite from then on', async () => {
  const { suite, testFiles, reached } = await edited('tests/testnew.py', 'unittest');
  expect({ testFiles, reached }).toEqual({ testFiles: ['tests/testnew.py'], reached: [] });
  expect(suite.testFiles).toEqual([...SUITE.testFiles, 'tests/testnew.py']);
  expect((await edited('tests/testnew.py', 'pytest')).testFiles).toEqual([]);
});

test('a change of a shared file reaches all other test files, a change of a test file none', async () => {
  expect(await edited('tests/helpers.py', 'pytest')).toMatchObject({ testFiles: [], reached: SUITE.testFiles });
  expect(await edited('tests/test_base.py', 'pytest')).toMatchObject({
    testFiles: ['tests/test_base.py'],
    reached: ['tests/test_a.py'],
  });
  expect(await edited('tests/test_a.py', 'pytest')).toMatchObject({ testFiles: ['tests/test_a.py'], reached: [] });
});
