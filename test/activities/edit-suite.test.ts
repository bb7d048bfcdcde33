import { expect, test } from 'vitest';
import { editSuite } from '../../src/activities/edit-suite.js';
import type { Services } from '../../src/activities/services.js';
import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { Operation, Suite } from '../../src/core/suite.js';

const BASE: Readonly<Record<string, string>> = {
  'tests/test_a.py': 'def test_a():\n    assert True\n',
  'tests/test_base.py': 'class Base:\n    def make(self):\n        return 1\n',
  'tests/test_latin.py': '# coding: latin-1\nx = "\xe9"\n',
  'tests/test_cookie.py': 'def test_first(): 1\n# coding: latin-1\nx = "\xc3\xbc"\n',
  'tests/test_ascii.py': '# coding: ascii\n',
  'tests/helpers.py': 'def make():\n    return 1\n',
};
const SUITE: Suite = {
  ...{ schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [] },
  testFiles: ['tests/test_a.py', 'tests/test_base.py'],
};

/** What becomes of the suite when a function is added to a file (taken out without a source), for a runner. */
async function attempt({
  file,
  runner = 'pytest',
  source = 'def test_new():\n    assert True\n',
  name = 'test_new',
}: {
  file: string;
  runner?: 'pytest' | 'unittest';
  source?: string | null;
  name?: string;
}) {
  const bytes = async (path: string) => (BASE[path] === undefined ? null : Buffer.from(BASE[path], 'latin1'));
  const subject = {
    suite: SUITE,
    base: { dir: '', text: async (path: string) => BASE[path] ?? null, bytes },
    instance: { environment: { runner } } as InstanceSpec,
  };
  const operation: Operation =
    source === null ? { op: 'delete', file, test: name, obsoleteBecause: '' } : { op: 'create', file, name, source };
  const store = createMemoryStore();
  const result = await editSuite({
    services: { store } as unknown as Services,
    subject,
    edit: { diagnosis: '', failedDirection: '', reuse: [], operations: [operation] },
    step: 1,
  });
  if (result.kind === 'refused') return result;
  const ref = result.suite.files[file];
  return { ...result, bytes: ref === undefined ? null : Buffer.from(await store.get(ref)) };
}

async function edited(file: string, runner: 'pytest' | 'unittest') {
  const result = await attempt({ file, runner });
  if (result.kind === 'refused') throw new Error(result.reason);
  return result;
}

test('a file from which the runner takes tests is a test file of the suite from then on', async () => {
  const { suite, testFiles, reached } = await edited('tests/testnew.py', 'unittest');
  expect({ testFiles, reached }).toEqual({ testFiles: ['tests/testnew.py'], reached: [] });
  expect(suite.testFiles).toEqual([...SUITE.testFiles, 'tests/testnew.py']);
  // The same name is none for the other runner, and a new file of it would never run.
  expect(await attempt({ file: 'tests/testnew.py' })).toMatchObject({
    reason: expect.stringContaining('pytest takes no'),
  });
  const helper = { file: 'tests/testnew.py', name: 'make', source: 'def make():\n    return 1\n' };
  expect(await attempt(helper)).toMatchObject({ kind: 'edited', testFiles: [] });
});

test('a change of a shared file reaches all other test files, a change of a test file none', async () => {
  expect(await edited('tests/helpers.py', 'pytest')).toMatchObject({ testFiles: [], reached: SUITE.testFiles });
  expect(await edited('tests/test_base.py', 'pytest')).toMatchObject({
    testFiles: ['tests/test_base.py'],
    reached: ['tests/test_a.py'],
  });
  expect(await edited('tests/test_a.py', 'pytest')).toMatchObject({ testFiles: ['tests/test_a.py'], reached: [] });
});

test('a file keeps its encoding, and takes no character that it lacks', async () => {
  const source = (text: string) => `def test_new():\n    assert "${text}"\n`;
  const latin = await attempt({ file: 'tests/test_latin.py', source: source('ü') });
  expect(latin).toMatchObject({ kind: 'edited' });
  const bytes = latin.kind === 'edited' ? latin.bytes : null;
  expect(bytes?.toString('latin1')).toBe(`${BASE['tests/test_latin.py']}\n\n${source('ü')}`);
  for (const [file, text] of [
    ['tests/test_latin.py', '€'],
    ['tests/test_ascii.py', 'ü'],
  ] as const) {
    expect(await attempt({ file, source: source(text) })).toMatchObject({
      reason: expect.stringMatching(/is encoded as/),
    });
  }
});

test('an update does not declare another encoding', async () => {
  // Without the function, the comment is in the first line.
  const result = await attempt({ file: 'tests/test_cookie.py', name: 'test_first', source: null });
  expect(result).toMatchObject({ reason: expect.stringContaining('would declare another encoding than utf-8') });
});
