import { type AgentPair, agentAgreement, type UniqueSolves, uniqueSolves } from './agreement.js';
import { candidateTable } from './candidate-table.js';
import { type DecidedRow, precisionByDecision } from './decided.js';
import { type EnsembleLine, ensembleLines } from './ensemble.js';
import { type MethodTable, methodTable } from './method-table.js';
import { type MomentumRow, momentumByStep } from './momentum-sizes.js';
import { type Reconciliation, reconcile } from './reconcile.js';
import type { InstanceRecord } from './record.js';
import { type MethodPoint, methodLines, recordsByMethod } from './records-by-method.js';
import {
  type SeparationCounts,
  type StepsToSeparation,
  separationsByOrigin,
  stepsToSeparation,
} from './separations.js';

/** All that a report of a benchmark shows, computed once; every renderer starts from it. */
export interface BenchmarkSummary {
  readonly schema: 'testgrad.benchmark-summary/1';
  readonly instances: number;
  /** In the order that defines N. */
  readonly agents: readonly string[];
  /** Candidates an instance in all tables but the lines over N. */
  readonly n: number;
  readonly methods: MethodTable;
  readonly ensemble: readonly EnsembleLine[];
  readonly lines: readonly MethodPoint[];
  readonly agreement: readonly AgentPair[];
  readonly uniqueSolves: readonly UniqueSolves[];
  readonly details: readonly MethodDetails[];
}

/** What is told of one method by itself. */
export interface MethodDetails {
  readonly method: string;
  readonly reconciliation: Reconciliation;
  readonly decided: readonly DecidedRow[];
  /** All tests that separate, and those that decided. */
  readonly separations: readonly SeparationCounts[];
  readonly deciding: readonly SeparationCounts[];
  readonly steps: StepsToSeparation;
  readonly momentum: readonly MomentumRow[];
}

/**
 * Computes every table of a benchmark from its records. `expected` are the instances that each method should have; what is
 * missing, unexpected or repeated is named. Records of one method may differ in their number of candidates: the lines over N
 * show them all, every other table those with `n` of them, the most by default.
 *
 * Throws a RangeError when there is no record of `reference` with `n` candidates.
 */
export function benchmarkSummary({
  records,
  expected,
  reference,
  n,
  seed = 1,
}: {
  records: readonly InstanceRecord[];
  expected: readonly string[];
  /** Method that the others are compared with. */
  reference: string;
  n?: number;
  /** Of the bootstraps. */
  seed?: number;
}): BenchmarkSummary {
  const table = candidateTable(records);
  const size = n ?? table.agents.length;
  const shown = records.filter(({ candidates }) => candidates.length === size);
  return {
    schema: 'testgrad.benchmark-summary/1',
    instances: expected.length,
    agents: table.agents,
    n: size,
    methods: methodTable({ records: shown, reference, seed }),
    ensemble: ensembleLines(table),
    lines: methodLines(records),
    agreement: agentAgreement(table),
    uniqueSolves: uniqueSolves(table),
    details: [...recordsByMethod(shown)].map(([method, own]) => ({
      method,
      reconciliation: reconcile({ expected, finished: finishedOf({ records: shown, method }) }),
      decided: precisionByDecision(own),
      separations: separationsByOrigin({ records: own }),
      deciding: separationsByOrigin({ records: own, decidingOnly: true }),
      steps: stepsToSeparation(own),
      momentum: momentumByStep(own),
    })),
  };
}

const finishedOf = ({ records, method }: { records: readonly InstanceRecord[]; method: string }): string[] =>
  records.filter((record) => record.method === method).map(({ instanceId }) => instanceId);
