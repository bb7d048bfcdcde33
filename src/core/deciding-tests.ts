import type { DecidingTest } from './decision.js';
import { fileOf, qualifiedNameOf } from './row.js';

const TESTS_AT_MOST = 20;
const ID_CHARS = 300;
const QUOTE_CHARS = 500;

/**
 * Deciding tests as they fit into a decision: each once, 20 at most, ids and quotes cut at 300 and 500 characters. Where
 * there are more, the parameters of one test count as one.
 */
export function boundedTests(tests: readonly DecidingTest[]): DecidingTest[] {
  const once = firstOfEach({ tests, keyOf: ({ testId }) => testId });
  const kept =
    once.length <= TESTS_AT_MOST
      ? once
      : firstOfEach({ tests: once, keyOf: ({ testId }) => `${fileOf(testId)}::${qualifiedNameOf(testId)}` });
  return kept.slice(0, TESTS_AT_MOST).map((test) => ({
    ...test,
    testId: test.testId.slice(0, ID_CHARS),
    quote: test.quote.slice(0, QUOTE_CHARS),
  }));
}

function firstOfEach({
  tests,
  keyOf,
}: {
  tests: readonly DecidingTest[];
  keyOf: (test: DecidingTest) => string;
}): DecidingTest[] {
  const keys = tests.map(keyOf);
  return tests.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
