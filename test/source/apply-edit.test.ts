import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/suite.js';
import { applyEdit } from '../../src/source/apply-edit.js';

const file = 'tests/test_x.py';
const update = (test: string, source: string): Operation => ({
  op: 'update',
  file,
  test,
  source,
  staleBecause: 'the issue',
});
const create = (name: string, source = `def ${name}(): pass`): Operation => ({ op: 'create', file, name, source });
const remove = (test: string): Operation => ({ op: 'delete', file, test, obsoleteBecause: 'the base fails' });
const apply = (text: string, ...operations: Operation[]) => applyEdit({ files: new Map([[file, text]]), operations });

describe('applyEdit', () => {
  it('composes operations in order and over files', async () => {
    const other = 'tests/new/test_y.py';
    const result = await applyEdit({
      files: new Map([
        [file, 'def a(): 1\n'],
        ['tests/conftest.py', 'x = 1\n'],
      ]),
      operations: [create('test_b'), update('test_b', 'def test_b(): 2'), { ...create('test_c'), file: other }],
    });
    expect(result).toEqual({
      kind: 'applied',
      files: new Map([
        [file, 'def a(): 1\n\n\ndef test_b(): 2\n'],
        ['tests/conftest.py', 'x = 1\n'],
        [other, 'def test_c(): pass\n'],
      ]),
      changed: [
        { op: 'create', file, name: 'test_b', source: 'def test_b(): 2', reason: 'the issue' },
        { op: 'create', file: other, name: 'test_c', source: 'def test_c(): pass', reason: '' },
      ],
    });
  });

  it('says what became of each function', async () => {
    const text = 'class A:\n    def test_a(self): 1\n\n    def helper(self): 2\n\n\ndef test_b(): 3\n';
    const source = 'class A:\n    def test_a(self): 1\n\n    def helper(self): 9\n\n    def test_n(self): 5';
    const result = await apply(text, update('A', source), remove('test_b'));
    expect(result).toMatchObject({
      changed: [
        { op: 'update', name: 'A::helper', source: 'def helper(self): 9', reason: 'the issue' },
        { op: 'create', name: 'A::test_n', source: 'def test_n(self): 5' },
        { op: 'delete', name: 'test_b', source: 'def test_b(): 3', reason: 'the base fails' },
      ],
    });
  });

  it('tells a rename as a deletion and a creation', async () => {
    expect(await apply('def test_a(): 1\n', update('test_a', 'def test_b(): 1'))).toMatchObject({
      changed: [
        { op: 'delete', name: 'test_a' },
        { op: 'create', name: 'test_b' },
      ],
    });
  });

  it('forgets a test that it created and deleted', async () => {
    expect(await apply('x = 1\n', create('test_a'), remove('test_a'))).toMatchObject({
      files: new Map([[file, 'x = 1\n']]),
      changed: [],
    });
  });

  it('takes a deleted test that comes back for an update', async () => {
    const result = await apply('def test_a(): 1\n\n\ny = 1\n', remove('test_a'), create('test_a', 'def test_a(): 2'));
    expect(result).toMatchObject({ changed: [{ op: 'update', name: 'test_a', source: 'def test_a(): 2' }] });
  });

  it('reports a class whose own lines alone change by those, as that reaches each of its tests', async () => {
    const text = 'class A(B):\n    x = 1\n\n    def test_a(self): 1\n\n    def test_b(self): 2\n';
    const source = text.replace('x = 1', 'x = 2').trimEnd();
    expect(await apply(text, update('A', source))).toMatchObject({
      changed: [{ op: 'update', name: 'A', source: 'class A(B):\n    x = 2', reason: 'the issue' }],
    });
  });

  it('takes new imports alone for no change', async () => {
    const operation = { ...update('test_a', 'def test_a(): 1'), imports: ['import os'] };
    expect(await apply('def test_a(): 1\n', operation)).toMatchObject({ reason: expect.stringContaining('nothing') });
  });

  it('accepts test ids', async () => {
    const result = await apply('def test_a(x): 1\n', update(`${file}::test_a[a-1]`, 'def test_a(x): 2'));
    expect(result).toMatchObject({ changed: [{ name: 'test_a' }] });
  });

  it('names the operation that it refuses, and applies none', async () => {
    const text = 'def test_a(): 1\n';
    expect(await apply(text, create('test_b'), create('test_a'))).toMatchObject({ kind: 'refused', index: 1 });
    expect(await apply(text, update('test_a', 'def test_a(): 1'))).toMatchObject({
      kind: 'refused',
      index: 0,
      reason: expect.stringContaining('changes nothing'),
    });
    expect(await apply(text, { ...create('test_b'), file: 'docs/usage.rst' })).toMatchObject({
      reason: '`docs/usage.rst` is no Python file; doctests in text are not edited.',
    });
    expect(await apply(text, { ...create('test_b'), file: 'tests/data.json' })).toMatchObject({
      kind: 'refused',
      reason: '`tests/data.json` is not a Python file.',
    });
  });
});
