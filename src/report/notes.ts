import type { PreparedCandidate, UsableCandidate } from '../core/candidate.js';
import type { Decision } from '../core/decision.js';
import type { Matrix } from '../core/matrix.js';
import { safeLine } from './safe-text.js';

/** Narrows to candidates that take part. */
export const isUsable = (candidate: PreparedCandidate): candidate is UsableCandidate => candidate.kind === 'usable';

/** What a reader should know about the candidates: equal changes, exclusions, test changes that were set aside. */
export function candidateNotes(candidates: readonly PreparedCandidate[]): string[] {
  const usable = candidates.filter(isUsable);
  const nameOf = (id: string): string => safeLine(usable.find((candidate) => candidate.id === id)?.agent ?? id);
  const same = usable
    .filter((candidate) => candidate.sameAs !== candidate.id)
    .map((candidate) => `${nameOf(candidate.id)} is the same change as ${nameOf(candidate.sameAs)}.`);
  const excluded = candidates.flatMap((candidate) =>
    candidate.kind === 'excluded'
      ? [`${safeLine(candidate.agent)} takes no part (${candidate.reason}): ${safeLine(candidate.detail)}`]
      : [],
  );
  const countOf = ({ counts, setAside }: UsableCandidate): number => counts?.setAside ?? setAside.length;
  const aside = usable.filter((candidate) => countOf(candidate) > 0);
  const files = new Set(aside.flatMap((candidate) => candidate.setAside));
  const more = aside.some((candidate) => countOf(candidate) > candidate.setAside.length) ? ' and more' : '';
  const names = aside.map((candidate) => nameOf(candidate.id)).join(', ');
  return [
    ...same,
    ...excluded,
    ...(aside.length === 0
      ? []
      : [`Test files changed by ${names} were put back before the tests ran (${files.size}${more}).`]),
  ];
}

/** Which other candidates pass exactly the tests that the selected one passes; flaky rows say nothing. */
export function behaviourNotes({ decision, matrix }: { decision: Decision; matrix: Matrix }): string[] {
  const usable = decision.candidates.filter(isUsable);
  const selected = usable.find((candidate) => candidate.id === decision.selectedId);
  if (selected === undefined) return [];
  const rows = matrix.rows.filter((row) => row.kind !== 'flaky');
  const passes = (row: Matrix['rows'][number], { sameAs }: UsableCandidate): boolean =>
    row.cells[sameAs]?.status === 'passed';
  const alike = usable.filter(
    (candidate) =>
      candidate.treeId !== selected.treeId && rows.every((row) => passes(row, candidate) === passes(row, selected)),
  );
  if (alike.length === 0) return [];
  const names = alike.map((candidate) => safeLine(candidate.agent)).join(', ');
  const verbs = alike.length === 1 ? 'passes and fails' : 'pass and fail';
  return [`${names} ${verbs} the same ${rows.length} tests as ${safeLine(selected.agent)}.`];
}
