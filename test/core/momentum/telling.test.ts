import { describe, expect, it } from 'vitest';
import { codeNames } from '../../../src/core/momentum/code-names.js';
import { weightOf } from '../../../src/core/momentum/telling.js';

describe('weightOf', () => {
  const focus = new Set(['popitem', 'Cache']);

  it.each([
    'import pytest',
    'from unittest import mock',
    'evicted = []',
    'a, b = {}',
    'x = -1.5',
    "name = ''",
    'timer = Timer()',
    'else:',
    'try:',
    'return',
    'del x',
    '@slow',
    '@mark.slow()',
    'class A:',
  ])('takes %s for set-up', (text) => {
    expect(weightOf({ text, focus: new Set() })).toBe(0);
  });

  it.each([
    'assert x == 1',
    'x = f(1)',
    'x = y.z',
    'with raises(E):',
    'return x',
    '@mark.slow(1)',
    'class A(B):',
    'important()',
  ])('takes %s for a statement of its own', (text) => {
    expect(weightOf({ text, focus })).toBe(1);
  });

  it('sees names of the focus as names only', () => {
    expect(weightOf({ text: 'cache = self.Cache(maxsize=3)', focus })).toBe(3);
    expect(weightOf({ text: 'cache = Cache()', focus })).toBe(3);
    expect(weightOf({ text: 'from pkg import Cache', focus })).toBe(0);
    expect(weightOf({ text: 'key = cache.popitem()[0]', focus })).toBe(3);
    expect(weightOf({ text: 'f("popitem", \'Cache\', popitems)', focus })).toBe(1);
  });
});

describe('codeNames', () => {
  it('finds what is written as code, and no words', () => {
    const issue =
      'An `LRUCache` evicts too much: `popitem()` runs twice. Call pages.update(x) or set max_size; see MyCache.\n' +
      'Print the current value. self.key = len(value); HTTP and Python stay words.';
    expect([...codeNames(issue)].sort()).toEqual(['LRUCache', 'MyCache', 'max_size', 'popitem', 'update']);
  });
});
