import type { PreparedCandidate } from '../candidate.js';
import type { Decision } from '../decision.js';
import type { Matrix, MatrixRow } from '../matrix.js';
import { isFailing } from '../outcome.js';
import { totalUsage, type Usage } from '../usage.js';
import { decidedByOf } from './decided-by.js';
import type { DecidedBy, InstanceRecord, RecordedCandidate, Resolution, Separation } from './record.js';

/** What scoring knows about an instance beside the selection. */
export interface ScoredInstance {
  readonly instanceId: string;
  /** Name under which the records are one method. */
  readonly method: string;
  /** All agents in the order that defines N, those without a prediction too. */
  readonly agents: readonly { readonly agent: string; readonly resolution: Resolution }[];
  readonly durations: InstanceRecord['durations'];
}

/** What a method other than TestGRAD answered. */
export interface Choice {
  /** Index into the candidates that the method was given; null when none, or for an expectation. */
  readonly index: number | null;
  readonly among?: readonly number[];
  readonly usage: Usage;
  /** Why the method's own answer could not be used; null when it was. */
  readonly fallback: string | null;
}

/**
 * The record of a method's choice. `candidates` are those that the method was given; an agent that is not among them had no
 * prediction. `decidedBy` is how the method decides when its own answer counts.
 */
export function recordOfChoice({
  scored,
  choice,
  candidates,
  decidedBy,
}: {
  scored: ScoredInstance;
  choice: Choice;
  candidates: readonly PreparedCandidate[];
  decidedBy: DecidedBy;
}): InstanceRecord {
  const placeOf = (index: number): number | null => placeOfAgent({ scored, agent: candidates[index]?.agent });
  const among = (choice.among ?? []).map(placeOf).filter((place) => place !== null);
  const chosen = choice.index === null ? null : placeOf(choice.index);
  const isNothing = chosen === null && among.length === 0;
  return {
    ...common(scored),
    chosen,
    among,
    decidedBy: isNothing ? 'nothing' : choice.fallback === null ? decidedBy : 'fallback',
    steps: 0,
    usage: choice.usage,
    separations: [],
    memory: [],
    candidates: recordedCandidates({ scored, candidates }),
  };
}

/** The record of an instance that ended with an error; what it had spent by then is kept. */
export function recordOfError({ scored, usage }: { scored: ScoredInstance; usage: Usage }): InstanceRecord {
  const candidates = scored.agents.map((each): RecordedCandidate => ({ ...each, state: 'usable' }));
  return {
    ...common(scored),
    chosen: null,
    among: [],
    decidedBy: 'error',
    steps: 0,
    usage,
    separations: [],
    memory: [],
    candidates,
  };
}

/**
 * The record of a decision of TestGRAD. Separations are the confirmed differential rows of its last matrix, null where it
 * came to none; a candidate has the outcomes of the one whose tree is the same.
 */
export function recordOfDecision({
  scored,
  decision,
  matrix,
}: {
  scored: ScoredInstance;
  decision: Decision;
  matrix: Matrix | null;
}): InstanceRecord {
  const { candidates, steps } = decision;
  const selected = candidates.find(({ id }) => id === decision.selectedId);
  const rows = (matrix?.rows ?? []).filter(({ kind }) => kind === 'differential');
  return {
    ...common(scored),
    chosen: placeOfAgent({ scored, agent: selected?.agent }),
    among: [],
    decidedBy: decidedByOf(decision),
    steps: Math.max(0, ...steps.map(({ step }) => step)),
    usage: totalUsage(decision.usage),
    separations: rows.map((row) => separationOf({ row, scored, decision })),
    memory: steps
      .filter(({ rawMemoryTokens }) => rawMemoryTokens > 0)
      .map(({ step, momentumTokens, rawMemoryTokens }) => ({ step, momentumTokens, rawTokens: rawMemoryTokens })),
    candidates: recordedCandidates({ scored, candidates }),
  };
}

function common({ instanceId, method, durations }: ScoredInstance) {
  return { schema: 'testgrad.instance-record/1' as const, instanceId, method, durations };
}

function placeOfAgent({ scored, agent }: { scored: ScoredInstance; agent: string | undefined }): number | null {
  const place = scored.agents.findIndex((each) => each.agent === agent);
  return place === -1 ? null : place;
}

function recordedCandidates({
  scored,
  candidates,
}: {
  scored: ScoredInstance;
  candidates: readonly PreparedCandidate[];
}): RecordedCandidate[] {
  return scored.agents.map(({ agent, resolution }) => {
    const prepared = candidates.find((each) => each.agent === agent);
    // An agent without a patch resolves nothing, whatever a list of results leaves open.
    if (prepared === undefined) return { agent, state: 'missing', resolution: 'unresolved' };
    return { agent, state: prepared.kind, resolution };
  });
}

function separationOf({
  row,
  scored,
  decision,
}: {
  row: MatrixRow;
  scored: ScoredInstance;
  decision: Decision;
}): Separation {
  const places = (test: (status: MatrixRow['base']['status']) => boolean): number[] =>
    decision.candidates.flatMap((candidate) => {
      const status = candidate.kind === 'usable' ? row.cells[candidate.sameAs]?.status : undefined;
      const place = placeOfAgent({ scored, agent: candidate.agent });
      return status !== undefined && place !== null && test(status) ? [place] : [];
    });
  return {
    testId: row.testId,
    origin: row.origin,
    class: row.judgement?.class ?? 'unjudged',
    step: row.step,
    passed: places((status) => status === 'passed'),
    failed: places(isFailing),
    deciding: decision.decidingTests.some(({ testId, step }) => testId === row.testId && step === row.step),
  };
}
