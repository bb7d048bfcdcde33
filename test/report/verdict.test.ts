import { expect, test } from 'vitest';
import { verdictOf } from '../../src/report/verdict.js';
import { CANDIDATES, decision, usable } from './fixture.js';

const equal = (candidates: typeof CANDIDATES, leaders: readonly string[]) =>
  verdictOf(decision({ kind: 'equivalent', chosenBy: 'rule', decidingTests: [], candidates, leaders }));

test('those that make the same change as a leader are counted with it', () => {
  const twins = [usable({ id: 'c1', agent: 'a' }), usable({ id: 'c2', agent: 'b', sameAs: 'c1' })];
  const excluded = CANDIDATES.filter(({ kind }) => kind === 'excluded');
  expect(equal([...twins, ...excluded], ['c1'])).toBe('both candidates behave the same, chosen by rule');
  const triplets = [...twins, usable({ id: 'c3', agent: 'c', sameAs: 'c1' })];
  expect(equal(triplets, ['c1'])).toBe('all 3 candidates behave the same, chosen by rule');
  const behind = [...twins, usable({ id: 'c3', agent: 'c' })];
  expect(equal(behind, ['c1'])).toBe('2 candidates in the lead behave the same, chosen by rule');
  expect(equal(behind, ['c3'])).toBe('one candidate is in the lead, chosen by rule');
});
