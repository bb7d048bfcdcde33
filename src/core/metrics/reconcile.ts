/** Expected and finished instances of one method, put side by side. */
export interface Reconciliation {
  readonly expected: number;
  /** Expected and finished exactly once. */
  readonly finished: number;
  /** Expected and not finished, in the order expected. */
  readonly missing: readonly string[];
  /** Finished and not expected. */
  readonly unexpected: readonly string[];
  /** Finished more than once. */
  readonly repeated: readonly string[];
  /** True when nothing is missing, unexpected or repeated. */
  readonly complete: boolean;
}

/** Puts the instances that a run should have beside those that it has, so that none is lost without being named. */
export function reconcile({
  expected,
  finished,
}: {
  expected: readonly string[];
  finished: readonly string[];
}): Reconciliation {
  const counts = new Map<string, number>();
  for (const id of finished) counts.set(id, (counts.get(id) ?? 0) + 1);
  const wanted = new Set(expected);
  const missing = [...wanted].filter((id) => !counts.has(id));
  const unexpected = [...counts.keys()].filter((id) => !wanted.has(id));
  const repeated = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  return {
    expected: wanted.size,
    finished: [...counts].filter(([id, count]) => count === 1 && wanted.has(id)).length,
    missing,
    unexpected,
    repeated,
    complete: missing.length + unexpected.length + repeated.length === 0,
  };
}
