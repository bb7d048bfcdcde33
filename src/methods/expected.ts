import type { MethodResult } from './method.js';

/**
 * Chance, from 0 to 1, that what a method selected resolves the issue: 0 or 1 for a selected candidate, the share of
 * resolving ones for an expectation, 0 where nothing was selected. `resolved` is in the candidates' order; a candidate
 * without a known result counts as not resolving.
 */
export function expectedResolved({
  result,
  resolved,
}: {
  result: Pick<MethodResult, 'index' | 'among'>;
  resolved: readonly boolean[];
}): number {
  const among = result.index === null ? (result.among ?? []) : [result.index];
  if (among.length === 0) return 0;
  return among.filter((index) => resolved[index] === true).length / among.length;
}
