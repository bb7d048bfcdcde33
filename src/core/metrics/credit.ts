import type { InstanceRecord } from './record.js';

/** What a selection is worth: 0 or 1, or a share for an expectation. */
export interface Credit {
  /** Candidates without a known result counted as not resolving, as the harness counts what it could not grade. */
  readonly low: number;
  /** The same candidates counted as resolving. */
  readonly high: number;
}

/** Credit of one record: that of the selected candidate, the mean over `among`, 0 where nothing was selected. */
export function creditOf({ chosen, among, candidates }: InstanceRecord): Credit {
  const indices = chosen === null ? among : [chosen];
  if (indices.length === 0) return { low: 0, high: 0 };
  const share = (test: (resolution: string) => boolean): number =>
    indices.filter((index) => test(candidates[index]?.resolution ?? 'unresolved')).length / indices.length;
  return { low: share((found) => found === 'resolved'), high: share((found) => found !== 'unresolved') };
}

/** True when some candidates are known to resolve the instance and some not to: where a selection matters. */
export function isMixed({ candidates }: Pick<InstanceRecord, 'candidates'>): boolean {
  const has = (wanted: string): boolean => candidates.some(({ resolution }) => resolution === wanted);
  return has('resolved') && has('unresolved');
}
