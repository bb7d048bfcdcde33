import { expect, test } from 'vitest';
import type { Services } from '../../src/activities/services.js';
import { testDefinitions } from '../../src/activities/test-definitions.js';
import type { MatrixRow } from '../../src/core/matrix.js';

const files: Readonly<Record<string, string>> = {
  'tests/__init__.py': 'class Mixin:\n    def test_shared(self): pass\n',
  'tests/test_a.py':
    'from . import Mixin\nclass A(Mixin):\n    def test_own(self): pass\n    def test_made(self): pass\ndef test_plain(): pass\n',
  'tests/test_b.py': 'from . import Mixin\nclass B(Mixin):\n    def test_own(self): pass\n',
};
const suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [], testFiles: [] } as const;
const base = { text: async (path: string) => files[path] ?? null, bytes: async () => null };

test('tests that classes inherit have one definition, all others their own', async () => {
  const ids = [
    'tests/test_a.py::A::test_shared',
    'tests/test_b.py::B::test_shared[x]',
    'tests/test_a.py::A::test_own',
    'tests/test_b.py::B::test_own',
    'tests/test_a.py::test_plain[1]',
    'tests/test_b.py::B::test_at_run_time',
  ];
  const rows = ids.map((testId) => ({ testId }) as MatrixRow);
  const definitionOf = await testDefinitions({ services: {} as Services, suite, base, rows });
  expect(ids.map(definitionOf)).toEqual([
    'tests/__init__.py Mixin::test_shared',
    'tests/__init__.py Mixin::test_shared',
    'tests/test_a.py A::test_own',
    'tests/test_b.py B::test_own',
    'tests/test_a.py test_plain',
    'tests/test_b.py B::test_at_run_time',
  ]);
});
