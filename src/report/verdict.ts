import { counted } from '../core/counted.js';
import type { Decision } from '../core/decision.js';

/** Why the loop ended, for a person. */
const ENDED: Readonly<Record<Decision['ended'], string>> = {
  separated: 'the candidates in the lead were told apart',
  equal: 'the candidates in the lead were found equal',
  steps: 'all steps were used',
  tokens: 'the token budget was used up',
  stopped: 'it was asked to stop',
  'not-needed': 'there was nothing to search for',
};

/** Why the loop of a run ended, as a clause. */
export const endedText = (decision: Decision): string => ENDED[decision.ended];

/** How a run was decided, in one line without the winner's name in front. */
export function verdictOf(decision: Decision): string {
  const by = decision.chosenBy === 'checker' ? 'chosen by the checker' : 'chosen by rule';
  const tests = decision.decidingTests.length;
  const updates = Math.max(0, decision.steps.length - 1);
  switch (decision.kind) {
    case 'differential':
      return `decided by ${tests === 1 ? 'a differential test' : counted(tests, 'differential test')}, ${by}`;
    case 'equivalent':
      return `${sameBehaviour(decision)}, ${by}`;
    case 'single':
      return 'the only usable candidate; nothing was compared';
    case 'fallback':
      return `no deciding test after ${counted(updates, 'update')} (${ENDED[decision.ended]}); fallback pick, low confidence, ${by}`;
    case 'none-acceptable':
      return 'no candidate is acceptable: nothing is recommended';
    case 'no-candidate':
      return 'no candidate was usable: there is nothing to choose';
  }
}

/** Who behaves the same. Leaders stand for all candidates that make the same change. */
function sameBehaviour(decision: Decision): string {
  const usable = decision.candidates.filter((candidate) => candidate.kind === 'usable');
  const leading = usable.filter(({ sameAs }) => decision.leaders.includes(sameAs)).length;
  if (leading < 2) return 'one candidate is in the lead';
  if (leading < usable.length) return `${leading} candidates in the lead behave the same`;
  return `${leading === 2 ? 'both' : `all ${leading}`} candidates behave the same`;
}
