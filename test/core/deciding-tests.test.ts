import { expect, test } from 'vitest';
import { boundedTests } from '../../src/core/deciding-tests.js';
import type { DecidingTest } from '../../src/core/decision.js';

const deciding = (testId: string, quote = ''): DecidingTest => ({
  testId,
  origin: 'created',
  step: 1,
  class: 'issue',
  quote,
});
const many = (count: number, idOf: (n: number) => string) => Array.from({ length: count }, (_, n) => deciding(idOf(n)));

test('each test is named once, and the parameters of one test where there are many', () => {
  const few = [deciding('t.py::a[1]'), deciding('t.py::a[2]'), deciding('t.py::a[1]', 'again')];
  expect(boundedTests(few)).toEqual(few.slice(0, 2));
  const parameters = many(21, (n) => `t.py::a[${n}]`);
  expect(boundedTests([...parameters, deciding('u.py::a')])).toEqual([parameters[0], deciding('u.py::a')]);
});

test('what has to travel has a bound, whatever the tests are called', () => {
  const long = many(500, (n) => `t.py::test_${n}[${'x'.repeat(5_000)}]`).map((each) => ({
    ...each,
    quote: 'q'.repeat(9_000),
  }));
  const bounded = boundedTests(long);
  expect(bounded).toHaveLength(20);
  expect(bounded[1]?.testId).toHaveLength(300);
  expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(20_000);
});
