import { expect, test } from 'vitest';
import { withExpectedNames } from '../../../src/swebench/logs/foreign-names.js';
import { parserNamed } from '../../../src/swebench/logs/parsers.js';

const LOG = `test_a (m.tests.T.test_a) ... ok
test_b (m.tests.T.test_b)
What it does. ... ok
printed test_c (m.tests.T.test_c) ... ok
test_d (m.tests.T.test_other) ... ok
FAIL: test_e (m.tests.T.test_e)
test_f (m.tests.T.test_f) (n=1) ... FAIL
`;

test('names of a later Python are read as those that are expected', () => {
  const log = withExpectedNames({ log: LOG, expected: ['test_a (m.tests.T)', 'What it does.'] });
  const parsed = parserNamed('parse_log_django')?.({ log, rules: 'v4' });
  expect(parsed?.kind === 'parsed' && [...parsed.statuses]).toEqual([
    ['test_a (m.tests.T)', 'PASSED'],
    ['What it does.', 'PASSED'],
    ['printed test_c (m.tests.T.test_c)', 'PASSED'],
    ['test_d (m.tests.T.test_other)', 'PASSED'],
    ['test_e', 'FAILED'],
    ['test_f (m.tests.T) (n=1)', 'FAILED'],
  ]);
});

test('a log is left alone where later names are expected', () => {
  expect(withExpectedNames({ log: LOG, expected: ['x', 'test_a (m.tests.T.test_a)'] })).toBe(LOG);
});

test('a test with a docstring is told under its own name too, where that is expected', () => {
  const log = withExpectedNames({ log: LOG, expected: ['test_b (m.tests.T)'] });
  const parsed = parserNamed('parse_log_django')?.({ log, rules: 'v4' });
  const statuses = parsed?.kind === 'parsed' ? parsed.statuses : new Map();
  expect(statuses.get('test_b (m.tests.T)')).toBe('PASSED');
  expect(statuses.get('What it does.')).toBe('PASSED');
});
