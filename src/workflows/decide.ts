import type { CheckerTurnInput, CheckerTurnResult } from '../activities/contract.js';
import { partsOf } from '../core/ablation.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { Decision, DecisionKind } from '../core/decision.js';
import { fallbackOrder } from '../core/fallback.js';
import type { LoopEnd, LoopState } from '../core/loop-state.js';
import type { Score } from '../core/matrix.js';
import { recordUsage } from '../core/usage.js';
import type { LoopInput, ScoredSuite } from './loop.js';
import { subjectOf } from './loop.js';

/** What stays to be said when no loop was needed or it has ended. */
export interface Verdict {
  readonly kind: DecisionKind;
  readonly selectedId: string | null;
  readonly decidingTests: Decision['decidingTests'];
  readonly reason: string;
  readonly chosenBy: Decision['chosenBy'];
}

/**
 * Has the checker decide, once, on what the executions showed. Where the pass count is the objective the first of those
 * that pass most tests is taken instead.
 */
export async function check({
  loop,
  scored,
  end,
}: {
  loop: LoopInput;
  scored: ScoredSuite;
  end: LoopEnd;
}): Promise<{ state: LoopState; verdict: Verdict }> {
  const { state, score, matrix } = scored;
  if (partsOf(loop.run.settings).objective === 'pass-count') return { state, verdict: mostPassed(score) };
  const situation = situationOf({ loop, score, end });
  loop.board.update({ phase: 'checker', message: 'The checker decides' });
  const answer = await loop.call({
    activity: 'checkerTurn',
    input: { ...subjectOf({ run: loop.run, state, matrix }), situation },
    summary: `checker: ${situation}, ${state.leaders.length} in the lead`,
  });
  const usage = recordUsage({ ledger: state.usage, role: 'checker', step: 0, usage: answer.usage });
  const conversations = [
    ...state.trail.conversations,
    { role: 'checker', step: 0, conversation: answer.conversation } as const,
  ];
  return {
    state: { ...state, usage, trail: { ...state.trail, conversations } },
    verdict: verdictOf({ answer, situation, score, state }),
  };
}

function mostPassed({ leaders }: Score): Verdict {
  const isAlone = leaders.length === 1;
  return {
    kind: isAlone ? 'differential' : 'fallback',
    selectedId: leaders[0] ?? null,
    decidingTests: [],
    reason: isAlone
      ? 'By rule: it passes more tests than every other.'
      : `By rule: ${leaders.length} candidates pass most tests; it comes first in the order given.`,
    chosenBy: 'rule',
  };
}

function situationOf({
  loop,
  score,
  end,
}: {
  loop: LoopInput;
  score: Score;
  end: LoopEnd;
}): CheckerTurnInput['situation'] {
  const decided = loop.run.settings.extensions.judgeRows ? score.counts.evidence > 0 : score.loss === 0;
  if (decided) return 'differential';
  return end === 'equal' ? 'equivalent' : 'fallback';
}

function verdictOf({
  answer,
  situation,
  score,
  state,
}: {
  answer: CheckerTurnResult;
  situation: CheckerTurnInput['situation'];
  score: Score;
  state: LoopState;
}): Verdict {
  if (answer.usable && answer.selectedId === null) {
    return {
      kind: 'none-acceptable',
      selectedId: null,
      decidingTests: answer.decidingTests,
      reason: answer.reason,
      chosenBy: 'checker',
    };
  }
  if (answer.usable) {
    const { selectedId, decidingTests, reason } = answer;
    return { kind: situation, selectedId, decidingTests, reason, chosenBy: 'checker' };
  }
  const { selectedId, rule } = fallbackOrder({
    candidates: state.candidates,
    allowed: score.leaders,
    passCounts: answer.passCounts,
  });
  const passed = (answer.evidence ?? []).filter(({ passedBy }) => passedBy.some((id) => id === selectedId));
  return { kind: situation, selectedId, decidingTests: passed.map(({ test }) => test), reason: rule, chosenBy: 'rule' };
}

/** The decision document from what the loop knows. */
export function decisionOf({
  runId,
  instance,
  name,
  state,
  end,
  verdict,
}: {
  runId: string;
  instance: ArtifactRef;
  name: string;
  state: LoopState;
  end: LoopEnd;
  verdict: Verdict;
}): Decision {
  const selected = state.candidates.find((each) => each.id === verdict.selectedId);
  return {
    schema: 'testgrad.decision/1',
    runId,
    instance: name,
    kind: verdict.kind,
    selected: selected?.agent ?? null,
    selectedId: verdict.selectedId,
    decidingTests: verdict.decidingTests,
    reason: verdict.reason,
    chosenBy: verdict.chosenBy,
    candidates: state.candidates,
    leaders: state.leaders,
    steps: state.steps,
    ended: end,
    usage: state.usage,
    warnings: state.warnings,
    artifacts: {
      instance: instance.digest,
      suite: state.suite.digest,
      matrix: state.matrix?.digest ?? null,
    },
  };
}
