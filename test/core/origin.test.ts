import { describe, expect, it } from 'vitest';
import { changeOf, originOf } from '../../src/core/origin.js';
import { suiteWith } from './outcomes.js';

const ORIGINAL = { origin: 'original', step: 0 };

describe('originOf', () => {
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
});
