import fc from 'fast-check';
import type { Documents } from '../../../src/core/momentum/corpus.js';

/** Small databases in which much repeats. */
export const database: fc.Arbitrary<Documents> = fc.integer({ min: 1, max: 4 }).chain((alphabet) =>
  fc.array(fc.array(fc.array(fc.integer({ min: 0, max: alphabet }), { maxLength: 8 }), { maxLength: 2 }), {
    maxLength: 5,
  }),
);

/** Suites of one function each, written as words: `abc` is three statements. */
export const letters = (...suites: readonly string[]): Documents => functions(...suites.map((word) => [word]));

/** Suites of several functions. */
export const functions = (...suites: readonly (readonly string[])[]): Documents =>
  suites.map((words) => words.map((word) => [...word].map((letter) => letter.charCodeAt(0))));

/** Patterns as `abc:3`. */
export const asWords = (patterns: readonly { readonly items: readonly number[]; readonly support: number }[]) =>
  patterns.map(({ items, support }) => `${String.fromCharCode(...items)}:${support}`);

/** Patterns without their order. */
export const asSet = (
  patterns: readonly { readonly items: readonly number[]; readonly support: number }[],
): readonly string[] => patterns.map(({ items, support }) => `${items.join(' ')}:${support}`).sort();
