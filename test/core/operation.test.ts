import { describe, expect, it } from 'vitest';
import { collide, rowOf, targetOf } from '../../src/core/operation.js';
import type { Operation } from '../../src/core/suite.js';

const file = 'tests/test_x.py';
const create = (name: string, source: string, className?: string): Operation => ({
  op: 'create',
  file,
  className,
  name,
  source,
});
const update = (test: string, source = '(1, 2)'): Operation => ({ op: 'update', file, test, source, staleBecause: '' });
const remove = (test: string): Operation => ({ op: 'delete', file, test, obsoleteBecause: '' });

describe('targetOf', () => {
  it.each([
    [create('test_a', 'def test_a(): 1'), 'test_a'],
    [create('test_a', 'def test_a(self): 1', 'A::B'), 'A::B::test_a'],
    [create('test_a', '@mark\nclass TestA(Base):\n    def test_a(self): 1', 'TestA'), 'TestA'],
    [create('test_a', 'class TestA:\n    def test_a(self): 1'), 'TestA'],
    [create('B', 'class B:\n    x = 1', 'A'), 'A::B'],
    [create('test_a', 'async def test_a(self):\n    x = """\nclass A:\n"""', 'A'), 'A::test_a'],
    [update('A::test_a'), 'A::test_a'],
    [update(`${file}::A::test_a[x::y]`), 'A::test_a'],
    [remove('test_a[a[0]]'), 'test_a'],
  ])('names what %j writes or removes', (operation, name) => {
    expect(targetOf(operation)).toBe(name);
  });
});

describe('rowOf', () => {
  it.each([
    [update('test_a'), null],
    [update('test_a[1-2]'), '1-2'],
    [update('test_a[a[0]::b]'), 'a[0]::b'],
    [update('test_a[]'), ''],
    [update('test_a[1]', 'def test_a(): 1'), null],
    [update('test_a[1]', '\n@mark\ndef test_a(): 1'), null],
    [update('test_a[1]', 'async def test_a(): 1'), null],
    [update('test_a[1]', 'definition'), '1'],
    [remove('test_a[1]'), '1'],
    [create('test_a', 'def test_a(): 1'), null],
  ])('reads the row of %j', (operation, row) => {
    expect(rowOf(operation)).toBe(row);
  });
});

describe('collide', () => {
  it.each([
    [update('test_a'), remove(`${file}::test_a`), true],
    [update('test_a[1]'), update('test_a[2]'), false],
    [update('test_a[1]'), remove('test_a[1]'), true],
    [update('test_a[1]'), remove('test_a'), true],
    [update('A::test_a'), update('B::test_a'), false],
    [update('test_a'), { ...update('test_a'), file: 'tests/test_y.py' }, false],
  ])('%j and %j: %s', (one, other, answer) => {
    expect(collide({ one, other })).toBe(answer);
  });
});
