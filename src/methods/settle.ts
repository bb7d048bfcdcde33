import type { PreparedCandidate } from '../core/candidate.js';
import { NO_USAGE } from '../core/usage.js';
import type { MethodName, MethodResult } from './method.js';

/** Indices of the candidates that can be run and selected, in the order given. */
export function selectable(candidates: readonly PreparedCandidate[]): number[] {
  return candidates.flatMap((each, index) => (each.kind === 'usable' ? [index] : []));
}

/**
 * What a method's answer comes to: a usable candidate whenever there is one, else the first that holds a patch at all.
 *
 * `wanted` is the method's own answer, null when it gave none; `why` says why it could not be used, where that is so.
 */
export function settle({
  wanted,
  candidates,
  why,
}: {
  wanted: number | null;
  candidates: readonly PreparedCandidate[];
  why: string;
}): { index: number | null; fallback: string | null } {
  const usable = selectable(candidates);
  if (wanted !== null && usable.includes(wanted)) return { index: wanted, fallback: null };
  const [first] = usable;
  if (first !== undefined) return { index: first, fallback: `${why} The first usable candidate was taken.` };
  const written = candidates.findIndex((each) => each.kind === 'excluded' && each.reason !== 'empty');
  if (written === -1) return { index: null, fallback: null };
  return { index: written, fallback: 'No candidate is usable. The first patch that is not empty was taken.' };
}

/**
 * The answer where there is nothing to choose, because at most one candidate is usable: every method gives the same, so
 * that none of them has to spend anything. Null where there is a choice.
 */
export function withoutChoice({
  method,
  candidates,
}: {
  method: MethodName;
  candidates: readonly PreparedCandidate[];
}): MethodResult | null {
  const usable = selectable(candidates);
  if (usable.length > 1) return null;
  const { index, fallback } = settle({ wanted: usable[0] ?? null, candidates, why: '' });
  const reason = usable.length === 1 ? 'Only one candidate is usable.' : 'No candidate is usable.';
  return { method, index, reason, evidence: [], usage: NO_USAGE, fallback, conversations: [] };
}
