import type { InstanceRecord, RecordedCandidate } from './record.js';

/** The candidates of all instances, whoever selected among them. */
export interface CandidateTable {
  /** In the order that defines N. */
  readonly agents: readonly string[];
  readonly rows: readonly CandidateRow[];
}

/** The candidates of one instance, one an agent. */
export interface CandidateRow {
  readonly instanceId: string;
  readonly candidates: readonly RecordedCandidate[];
}

/**
 * The candidates behind records, each instance once, in the order in which instances first occur. Agents are those of the
 * longest list of candidates; the same instance has the same candidates in every method.
 */
export function candidateTable(records: readonly InstanceRecord[]): CandidateTable {
  const rows = new Map<string, CandidateRow>();
  let longest: readonly RecordedCandidate[] = [];
  for (const { instanceId, candidates } of records) {
    if (candidates.length > longest.length) longest = candidates;
    const known = rows.get(instanceId);
    // A run over the first n agents only holds fewer of the same candidates.
    if (known === undefined || known.candidates.length < candidates.length) {
      rows.set(instanceId, { instanceId, candidates });
    }
  }
  return { agents: longest.map(({ agent }) => agent), rows: [...rows.values()] };
}
