import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/artifacts/canonical-json.js';
import { contentKey } from '../../src/artifacts/content-key.js';

test('says what JSON.stringify says, in one order of properties', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

test('sorts by code units and keeps a property named __proto__', () => {
  expect(canonicalJson(JSON.parse('{"é":1,"z":2,"__proto__":3,"10":4,"9":5}'))).toBe(
    '{"10":4,"9":5,"__proto__":3,"z":2,"é":1}',
  );
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [undefined], [10n], [() => 1]])(
  'refuses %s instead of a silent null',
  (value) => {
    expect(() => canonicalJson({ list: [value] })).toThrow(TypeError);
  },
);

test('a content key depends on every part and on nothing else', () => {
  const key = contentKey({ model: 'm', turn: 1, seed: undefined });
  expect(contentKey({ turn: 1, model: 'm' })).toBe(key);
  expect(contentKey({ turn: 2, model: 'm' })).not.toBe(key);
  expect(contentKey({ turn: '1', model: 'm' })).not.toBe(key);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, property]) => [name, reversed(property)]),
  );
}
