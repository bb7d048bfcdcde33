import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../src/source/outline.js';
import { loadPython } from '../../src/source/parser.js';
import { damageOf, errorCountOf } from '../../src/source/verify-edit.js';

const BEFORE = 'class A:\n    def a(self): 1\n    def b(self): 2\n';

async function damage(after: string, ...touches: string[]): Promise<string | null> {
  const python = await loadPython();
  const outline = (text: string) => python({ text, use: (root) => outlineOf({ root, text }) });
  return damageOf({ before: outline(BEFORE), after: outline(after), touches, leaves: null });
}

describe('damageOf', () => {
  it.each([
    ['a named definition', BEFORE.replace('1', '9'), ['A::a']],
    ['a member of a named class', BEFORE.replace('1', '9'), ['A']],
    ['what is no function', `x = 1\n${BEFORE}`, []],
  ])('lets a change to %s pass', async (_, after, touches) => {
    expect(await damage(after, ...touches)).toBeNull();
  });

  it.each([
    ['another definition', BEFORE.replace('2', '9'), /`A::b`/],
    ['one that is gone', 'class A:\n    def a(self): 1\n', /`A::b`/],
    ['one that is new', `${BEFORE}def c(): 3\n`, /`c`/],
    ['one that moved into another scope', BEFORE.replace('    def b(self)', 'def b(self)'), /`A::b`/],
  ])('finds %s', async (_, after, reason) => {
    expect(await damage(after, 'A::a')).toMatch(reason);
  });
});

describe('errorCountOf', () => {
  it.each([
    ['x = 1\n', 0],
    ['def f():\n', 1],
    ['x = = 1\n', 1],
    ['x = = 1\n\n\ny = (1, = 2)\n', 2],
  ])('%j has %i', async (text, count) => {
    const python = await loadPython();
    expect(python({ text, use: (root) => errorCountOf({ root, text }) })).toBe(count);
  });
});
