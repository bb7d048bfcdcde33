import type { FailedSuite } from '../failure-memory.js';

/** The failure memory as numbers: `documents[suite][function]` is a sequence of indexes into `keys`. */
export interface InternedSuites {
  /** Distinct statement keys in UTF-16 code unit order, so that the order of items is the order of their keys. */
  readonly keys: readonly string[];
  readonly documents: readonly (readonly (readonly number[])[])[];
}

/** Numbers the distinct statement keys of all failed suites. */
export function internSuites({ suites }: { suites: readonly FailedSuite[] }): InternedSuites {
  const distinct = new Set(suites.flatMap((suite) => suite.functions.flatMap((one) => one.keys)));
  const keys = [...distinct].sort();
  const itemOf = new Map(keys.map((key, item) => [key, item]));
  const documents = suites.map((suite) =>
    suite.functions.map((one) => one.keys.flatMap((key) => itemOf.get(key) ?? [])),
  );
  return { keys, documents };
}
