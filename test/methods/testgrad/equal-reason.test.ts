import { expect, test } from 'vitest';
import { equalReason } from '../../../src/methods/testgrad/equal-reason.js';

const candidates = [
  { label: 'A', agent: 'birch' },
  { label: 'B', agent: 'cedar' },
  { label: 'C', agent: 'delta' },
];

test('labels that a reason uses are told, and only these', () => {
  expect(equalReason({ reason: 'A and B  store\nthe same sizes.', candidates })).toBe(
    '(A is birch, B is cedar) A and B store the same sizes.',
  );
  expect(equalReason({ reason: 'Both do the same.', candidates })).toBe('Both do the same.');
});

test('a long reason ends with a whole word', () => {
  const reason = equalReason({ reason: 'measured '.repeat(200), candidates });
  expect(reason.length).toBeLessThan(620);
  expect(reason.endsWith('measured …')).toBe(true);
});
