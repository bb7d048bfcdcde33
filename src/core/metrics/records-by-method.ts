import { type PassAtOne, passAtOne } from './pass-at-one.js';
import type { InstanceRecord } from './record.js';

/**
 * The records of each method, in the order in which methods first occur. An instance that a method has twice counts once,
 * the later record, as when it was run again.
 */
export function recordsByMethod(records: readonly InstanceRecord[]): ReadonlyMap<string, readonly InstanceRecord[]> {
  const methods = new Map<string, Map<string, InstanceRecord>>();
  for (const record of records) {
    const own = methods.get(record.method) ?? new Map<string, InstanceRecord>();
    own.set(record.instanceId, record);
    methods.set(record.method, own);
  }
  return new Map([...methods].map(([method, own]) => [method, [...own.values()]]));
}

/** Pass@1 of a method with the first n agents. */
export interface MethodPoint {
  readonly method: string;
  readonly n: number;
  readonly pass: PassAtOne;
}

/**
 * The lines of methods over N (the paper's RQ2): Pass@1 of each method for each number of candidates that it has records
 * for, methods in order of occurrence, then n ascending.
 */
export function methodLines(records: readonly InstanceRecord[]): MethodPoint[] {
  const methods = [...new Set(records.map(({ method }) => method))];
  const sizes = [...new Set(records.map(({ candidates }) => candidates.length))].sort((left, right) => left - right);
  return methods.flatMap((method) =>
    sizes.flatMap((n): MethodPoint[] => {
      const own = recordsByMethod(records.filter(({ candidates }) => candidates.length === n)).get(method);
      return own === undefined ? [] : [{ method, n, pass: passAtOne(own) }];
    }),
  );
}
