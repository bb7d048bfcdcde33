import { expect, test } from 'vitest';
import { buildMatrix } from '../../src/core/build-matrix.js';
import { countTests } from '../../src/core/count-tests.js';
import { run, suiteWith, tests } from './outcomes.js';

const base = run({ 't.py': { 'a[1]': 'passed', 'a[2]': 'failed' }, 'u.py': { b: 'passed' } });
const only = tests({ 'a[1]': 'passed', 'a[2]': 'passed', new: 'passed' });
const matrix = buildMatrix({
  suite: suiteWith(),
  candidates: ['c1'],
  columns: { c1: [only] },
  base: [base],
  judgements: {},
  reruns: 0,
});

test('files that were not collected again have the tests that the base had', () => {
  expect(countTests({ testFiles: ['t.py', 'u.py'], matrix, collected: new Map() })).toBe(3);
});

test('files that were collected again have the tests that were found, and new files too', () => {
  const collected = new Map([
    ['t.py', 5],
    ['v.py', 1],
  ]);
  expect(countTests({ testFiles: ['t.py', 'u.py', 'v.py'], matrix, collected })).toBe(7);
});

test('a file that could not be collected has no tests', () => {
  const broken = buildMatrix({
    suite: suiteWith(),
    candidates: ['c1'],
    columns: { c1: [only] },
    base: [run({ 't.py': { state: 'not-collected' } })],
    judgements: {},
    reruns: 0,
  });
  expect(countTests({ testFiles: ['t.py'], matrix: broken, collected: new Map() })).toBe(0);
});
