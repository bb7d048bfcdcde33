import type { ArtifactStore } from '../../artifacts/store.js';
import type { BenchmarkResult } from '../../core/benchmark-result.js';
import type { PreparedCandidate } from '../../core/candidate.js';
import type { Decision } from '../../core/decision.js';
import type { Matrix, MatrixRow } from '../../core/matrix.js';
import { decidedByOf } from '../../core/metrics/decided-by.js';
import type { DecidedBy } from '../../core/metrics/record.js';
import { totalUsage } from '../../core/usage.js';
import type { KeepResultInput } from '../benchmark-contract.js';
import { getDocument } from '../documents.js';
import type { MethodRecord } from '../method-contract.js';

type Separations = BenchmarkResult['separations'];
type Common = Pick<BenchmarkResult, 'schema' | 'runId' | 'instanceId' | 'method' | 'durations' | 'instance'>;

/** An answer as it is kept for scoring. */
export async function resultOf({
  store,
  input,
  instanceId,
  arm,
}: {
  store: ArtifactStore;
  input: KeepResultInput;
  instanceId: string;
  arm: string;
}): Promise<BenchmarkResult> {
  const { runId, answer, wallMs, instance } = input;
  const common: Common = {
    schema: 'testgrad.benchmark-result/1',
    runId,
    instanceId,
    method: arm,
    durations: { wallMs, modelMs: null, executionMs: null },
    instance,
  };
  return answer.kind === 'record'
    ? ofRecord({ record: answer.record, common })
    : ofDecision({ store, decision: answer.decision, common });
}

const candidatesOf = (candidates: readonly PreparedCandidate[]): BenchmarkResult['candidates'] =>
  candidates.map(({ agent, kind }) => ({ agent, state: kind }));

function ofRecord({ record, common }: { record: MethodRecord; common: Common }): BenchmarkResult {
  const usable = record.candidates.filter(({ kind }) => kind === 'usable');
  return {
    ...common,
    selected: record.selected,
    decidedBy: decidedByMethod({ record, usable: usable.length }),
    reason: record.fallback ?? record.reason,
    candidates: candidatesOf(record.candidates),
    steps: 0,
    usage: record.usage,
    separations: [],
    memory: [],
  };
}

function decidedByMethod({ record, usable }: { record: MethodRecord; usable: number }): DecidedBy {
  if (record.selectedId === null) return 'nothing';
  if (record.fallback !== null) return 'fallback';
  if (usable === 1) return 'single-candidate';
  return record.method === 'augment' ? 'judge' : 'rule';
}

async function ofDecision({
  store,
  decision,
  common,
}: {
  store: ArtifactStore;
  decision: Decision;
  common: Common;
}): Promise<BenchmarkResult> {
  const { matrix } = decision.artifacts;
  const rows =
    matrix === null
      ? []
      : (await getDocument<Matrix>({ store, ref: { digest: matrix, bytes: 0, mediaType: 'application/json' } })).rows;
  return {
    ...common,
    selected: decision.selected,
    decidedBy: decidedByOf(decision),
    reason: decision.reason,
    candidates: candidatesOf(decision.candidates),
    steps: decision.steps.filter(({ operations }) => operations.length > 0).length,
    usage: totalUsage(decision.usage),
    separations: separationsOf({ rows, decision }),
    memory: decision.steps
      .filter(({ step, rawMemoryTokens }) => step > 0 && rawMemoryTokens > 0)
      .map(({ step, momentumTokens, rawMemoryTokens }) => ({ step, momentumTokens, rawTokens: rawMemoryTokens })),
  };
}

/** Confirmed rows that separate; what a candidate with the same tree as another did, that other did too. */
function separationsOf({ rows, decision }: { rows: readonly MatrixRow[]; decision: Decision }): Separations {
  const usable = decision.candidates.filter((each) => each.kind === 'usable');
  const agentsWith = ({ row, passed }: { row: MatrixRow; passed: boolean }): string[] =>
    usable.flatMap(({ sameAs, agent }) => {
      const status = row.cells[sameAs]?.status;
      return status === undefined || (status === 'passed') !== passed ? [] : [agent];
    });
  const deciding = new Set(decision.decidingTests.map(({ testId }) => testId));
  return rows
    .filter(({ kind }) => kind === 'differential')
    .map((row) => ({
      testId: row.testId,
      origin: row.origin,
      class: row.judgement?.class ?? 'unjudged',
      step: row.step,
      passed: agentsWith({ row, passed: true }),
      failed: agentsWith({ row, passed: false }),
      deciding: deciding.has(row.testId),
    }));
}
