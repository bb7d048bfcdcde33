import { describe, expect, it } from 'vitest';
import { changeOf, originsOf } from '../../src/core/origin.js';
import type { Suite } from '../../src/core/suite.js';
import { suiteWith } from './outcomes.js';

const ORIGINAL = { origin: 'original', step: 0 };

const originOf = ({
  suite,
  testId,
  originalTests,
}: {
  suite: Suite;
  testId: string;
  originalTests?: ReadonlySet<string>;
}) => originsOf({ suite, originalTests })(testId);

describe('the origin of a row', () => {
  it('matches a test with its parameters, and no test with a similar name', () => {
    const suite = suiteWith([{ op: 'create', file: 't.py', name: 'C::test_a', step: 2 }]);
    expect(originOf({ suite, testId: 't.py::C::test_a[x::y]' })).toEqual({ origin: 'created', step: 2 });
    for (const other of ['t.py::test_a', 't.py::C::test_ab', 'u.py::C::test_a', 't.py::CC::test_a']) {
      expect(originOf({ suite, testId: other })).toEqual(ORIGINAL);
    }
  });

  it('keeps a created test created when a later update changes it', () => {
    const created = suiteWith([{ op: 'create', file: 't.py', name: 'test_a', step: 1 }]);
    const suite = {
      ...created,
      changed: created.changed.map((change) => ({ ...change, op: 'update' as const, step: 3 })),
    };
    expect(originOf({ suite, testId: 't.py::test_a' })).toEqual({ origin: 'created', step: 3 });
    expect(originOf({ suite: { ...suite, edits: [] }, testId: 't.py::test_a' })).toEqual({
      origin: 'updated',
      step: 3,
    });
  });

  it('counts a test as updated when a helper that it may run through was', () => {
    const helper = suiteWith([{ op: 'update', file: 't.py', name: 'make_app', step: 2 }]);
    expect(originOf({ suite: helper, testId: 't.py::C::test_a' })).toEqual({ origin: 'updated', step: 2 });
    expect(originOf({ suite: helper, testId: 'u.py::test_a' })).toEqual(ORIGINAL);
    const setUp = suiteWith([{ op: 'update', file: 't.py', name: 'C::setUp', step: 1 }]);
    expect(originOf({ suite: setUp, testId: 't.py::C::test_a' }).origin).toBe('updated');
    expect(originOf({ suite: setUp, testId: 't.py::D::test_a' })).toEqual(ORIGINAL);
    const fixture = suiteWith([{ op: 'update', file: 'tests/a/conftest.py', name: 'app', step: 1 }]);
    expect(originOf({ suite: fixture, testId: 'tests/a/b/t.py::test_a' }).origin).toBe('updated');
    expect(originOf({ suite: fixture, testId: 'tests/ab/t.py::test_a' })).toEqual(ORIGINAL);
  });

  it('leaves neighbours of a created helper or an updated test alone', () => {
    for (const change of [
      { op: 'create', file: 't.py', name: 'make_app', step: 1 },
      { op: 'update', file: 't.py', name: 'test_b', step: 1 },
      { op: 'delete', file: 't.py', name: 'test_a', step: 1 },
    ] as const) {
      expect(originOf({ suite: suiteWith([change]), testId: 't.py::test_a' })).toEqual(ORIGINAL);
    }
  });

  it('dates the collection of a file by its last edit of any kind', () => {
    const suite = suiteWith([
      { op: 'create', file: 't.py', name: 'test_b', step: 1 },
      { op: 'delete', file: 't.py', name: 'test_a', step: 3 },
    ]);
    expect(originOf({ suite, testId: 't.py::<collection>' })).toEqual({ origin: 'updated', step: 3 });
    expect(originOf({ suite, testId: 'u.py::<collection>' })).toEqual(ORIGINAL);
  });

  it('gives a test that a class inherits the origin of the inherited definition', () => {
    const suite = suiteWith([{ op: 'create', file: 'tests/__init__.py', name: 'Mixin::test_new', step: 2 }]);
    const originalTests = new Set(['tests/test_b.py::TestB::test_new']);
    const originIn = (testId: string) => originOf({ suite, testId, originalTests });
    expect(originIn('tests/test_a.py::TestA::test_new')).toEqual({ origin: 'created', step: 2 });
    expect(originIn('tests/test_b.py::TestB::test_new')).toEqual(ORIGINAL);
    expect(originIn('tests/test_a.py::test_new')).toEqual(ORIGINAL);
    expect(originIn('other/test_a.py::TestA::test_new')).toEqual(ORIGINAL);
    expect(changeOf({ suite, testId: 'tests/test_a.py::TestA::test_new' })?.file).toBe('tests/__init__.py');
  });

  it('counts inherited original tests as updated when the inherited definition was', () => {
    const suite = suiteWith([{ op: 'update', file: 'tests/__init__.py', name: 'Mixin::test_old', step: 1 }]);
    const originalTests = new Set(['tests/test_a.py::TestA::test_old']);
    expect(originOf({ suite, testId: 'tests/test_a.py::TestA::test_old', originalTests })).toEqual({
      origin: 'updated',
      step: 1,
    });
  });

  const TESTS = ['tests/test_a.py', 'tests/unit/test_b.py', 'other/test_c.py'];
  const reached = (suite: Suite, originalTests: readonly string[] = []) =>
    TESTS.filter((file) => {
      const { origin, step } = originsOf({ suite, originalTests: new Set(originalTests) })(`${file}::TestX::test_x`);
      return origin === 'updated' && step === 2;
    });
  const collected = (suite: Suite) =>
    TESTS.filter((file) => originsOf({ suite })(`${file}::<collection>`).origin === 'updated');

  it.each([
    ['tests/__init__.py', 'make_cache', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['tests/__init__.py', 'Mixin::make', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['tests/helpers.py', 'make_cache', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['tests/test_base.py', 'BaseTest::make', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['tests/unit/support.py', 'make_cache', ['tests/unit/test_b.py']],
    ['conftest.py', 'app', TESTS],
    // A folder without tests is one of helpers for those above it.
    ['tests/utils/factories.py', 'make_cache', ['tests/test_a.py', 'tests/unit/test_b.py']],
    ['tests/utils/conftest.py', 'app', []],
    ['elsewhere/tests/helpers.py', 'make_cache', []],
  ])('is updated below a shared file whose helper was changed or added: %s::%s', (file, name, files) => {
    for (const op of ['update', 'create', 'delete'] as const) {
      const suite = suiteWith([{ op, file, name, step: 2 }], [...TESTS, 'tests/test_base.py']);
      expect(reached(suite)).toEqual(files);
      expect(collected(suite)).toEqual(files);
    }
  });

  it('is not updated by a test that was added to a mixin, but the collection of its users is', () => {
    const suite = suiteWith([{ op: 'create', file: 'tests/__init__.py', name: 'Mixin::test_new', step: 2 }], TESTS);
    expect(
      reached(
        suite,
        TESTS.map((file) => `${file}::TestX::test_x`),
      ),
    ).toEqual([]);
    expect(collected(suite)).toEqual(['tests/test_a.py', 'tests/unit/test_b.py']);
  });

  it('is updated by a fixture of a conftest that is called like a test', () => {
    const source = '@pytest.fixture()\ndef test_app():\n    return App()\n';
    const suite = suiteWith([{ op: 'update', file: 'tests/conftest.py', name: 'test_app', source, step: 2 }], TESTS);
    expect(reached(suite)).toEqual(['tests/test_a.py', 'tests/unit/test_b.py']);
  });

  it('is updated where a class was replaced as a whole: its attributes may have changed', () => {
    const update = { op: 'update', file: 'tests/__init__.py', test: 'Mixin', source: '', staleBecause: '' } as const;
    const suite = suiteWith([{ op: 'update', file: 'tests/__init__.py', name: 'Mixin::test_y', step: 2 }], TESTS);
    const edit = { diagnosis: '', failedDirection: '', reuse: [], operations: [update] };
    expect(reached(suite)).toEqual([]);
    expect(reached({ ...suite, edits: [edit] })).toEqual(['tests/test_a.py', 'tests/unit/test_b.py']);
  });

  it('is updated with the base class of a test module, which has no tests of its own', () => {
    const suite = suiteWith([{ op: 'update', file: 'tests/test_a.py', name: 'CacheCase::make', step: 2 }], TESTS);
    expect(reached(suite, ['tests/test_a.py::TestX::test_x'])).toEqual(['tests/test_a.py', 'tests/unit/test_b.py']);
    const own = ['tests/test_a.py::TestX::test_x', 'tests/test_a.py::CacheCase::test_y[1]'];
    expect(reached(suite, own)).toEqual([]);
  });

  it('is updated with a mixin of its own file whose test it inherits', () => {
    const suite = suiteWith([{ op: 'update', file: 'tests/test_a.py', name: 'Mixin::test_x', step: 2 }], TESTS);
    expect(reached(suite, ['tests/test_a.py::TestX::test_x'])).toContain('tests/test_a.py');
  });

  it('is updated by a new set-up or fixture that is called without being named', () => {
    const at = (name: string, source = '') =>
      reached(suiteWith([{ op: 'create', file: 'tests/test_a.py', name, source, step: 2 }], TESTS));
    expect(at('TestX::setUp')).toEqual(['tests/test_a.py']);
    expect(at('TestX::setup_method')).toEqual(['tests/test_a.py']);
    expect(at('TestY::setUp')).toEqual([]);
    expect(at('clean', '@pytest.fixture(autouse=True)\ndef clean():\n    yield\n')).toEqual(['tests/test_a.py']);
    expect(at('clean', '@pytest.fixture\ndef clean():\n    yield\n')).toEqual([]);
  });

  it('has the step of the last change of all that it runs through', () => {
    const suite = suiteWith(
      [
        { op: 'create', file: 'tests/__init__.py', name: 'Mixin::test_new', step: 1 },
        { op: 'update', file: 'tests/__init__.py', name: 'Mixin::make', step: 3 },
      ],
      TESTS,
    );
    const origin = originsOf({ suite, originalTests: new Set() })('tests/test_a.py::TestX::test_new');
    expect(origin).toEqual({ origin: 'created', step: 3 });
  });
});
