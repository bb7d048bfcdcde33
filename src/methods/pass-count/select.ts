import { NO_USAGE } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../method.js';
import { selectable, settle, withoutChoice } from '../settle.js';

/**
 * The usable candidate that passes most tests; ties go to the first in the order given. No model is asked.
 *
 * `passCounts` are passed tests by candidate id, such as {@link passCountsOf} of a matrix gives; a candidate without an
 * entry has those of the first one with its tree, or 0.
 */
export function selectByPassCount({
  input,
  passCounts,
}: {
  input: MethodInput;
  passCounts: Readonly<Record<string, number>>;
}): MethodResult {
  const { candidates } = input;
  const settled = withoutChoice({ method: 'pass-count', candidates });
  if (settled !== null) return settled;
  const usable = selectable(candidates);
  const passed = usable.map((index) => {
    const own = candidates[index];
    if (own?.kind !== 'usable') return 0;
    return passCounts[own.id] ?? passCounts[own.sameAs] ?? 0;
  });
  const most = Math.max(...passed);
  const best = usable.filter((_, at) => passed[at] === most);
  const { index, fallback } = settle({ wanted: best[0] ?? null, candidates, why: '' });
  const alone = best.length === 1 ? 'more than any other' : `as ${best.length - 1} more do; it comes first`;
  return {
    method: 'pass-count',
    index,
    reason: `It passes ${most} tests, ${alone}.`,
    evidence: usable.map((each, at) => ({ index: each, fact: `passes ${passed[at] ?? 0} tests` })),
    usage: NO_USAGE,
    fallback,
    conversations: [],
  };
}
