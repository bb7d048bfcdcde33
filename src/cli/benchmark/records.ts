import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import type { Arm, BenchmarkPlan, PlannedInstance } from '../../core/benchmark-plan.js';
import { isSettled, patchSlots } from '../../core/benchmark-plan.js';
import type { BenchmarkResult, BenchmarkResults, ItemEnd } from '../../core/benchmark-result.js';
import type { DecidedBy, InstanceRecord, RecordedCandidate, Resolution } from '../../core/metrics/record.js';
import { NO_USAGE } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../../methods/method.js';
import { selectByAdversary, selectByOracle } from '../../methods/oracle/select.js';
import { selectAtRandom } from '../../methods/random/select.js';
import { selectSingle } from '../../methods/single/select.js';
import { singleIndex } from './arms.js';
import { cellsOf, plannedInstances } from './store-plan.js';

/** What is known of a candidate being right; never a part of a selection. */
export type Known = (candidate: { readonly agent: string; readonly instanceId: string }) => Resolution;

/** One cell of a benchmark as it was scored, with what files need besides. */
export interface ScoredCell {
  readonly instance: PlannedInstance;
  readonly arm: Arm;
  readonly n: number;
  readonly record: InstanceRecord;
  readonly runId: string | null;
  readonly reason: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/**
 * Every cell of a benchmark that has an answer, instance by instance in the order of the plan; what has none (cancelled, or
 * the budget was spent) is left out and named by whoever puts expected and finished side by side.
 */
export async function* scoredCells({
  store,
  plan,
  results,
  known,
}: {
  store: ArtifactStore;
  plan: BenchmarkPlan;
  results: BenchmarkResults;
  known: Known;
}): AsyncGenerator<ScoredCell> {
  const ends = new Map(results.items.map((end) => [end.runId, end]));
  for await (const instance of plannedInstances({ store, plan })) {
    for await (const { scored } of cellsOfInstance({
      store,
      plan,
      instance,
      known,
      endOf: async (id) => ends.get(id),
    })) {
      if (scored !== null) yield scored;
    }
  }
}

/** A cell of one instance; `scored` is null while it has no answer. */
export interface InstanceCell {
  readonly arm: Arm;
  readonly n: number;
  readonly runId: string | null;
  readonly scored: ScoredCell | null;
}

/** The cells of one instance in the order of the plan, scored by how their runs ended. */
export async function* cellsOfInstance({
  store,
  plan,
  instance,
  known,
  endOf,
}: {
  store: ArtifactStore;
  plan: Pick<BenchmarkPlan, 'arms' | 'sizes'>;
  instance: PlannedInstance;
  known: Known;
  /** How a run ended; undefined for one that did not. */
  endOf: (runId: string) => Promise<ItemEnd | undefined>;
}): AsyncGenerator<InstanceCell> {
  const arms = new Map(plan.arms.map((arm) => [arm.name, arm]));
  // One run may answer several cells.
  const read = new Map<string, BenchmarkResult>();
  for (const { arm: name, n, runId } of cellsOf({ instance, arms: plan.arms, sizes: plan.sizes })) {
    const arm = arms.get(name);
    if (arm === undefined) continue;
    const end = runId === null ? null : ((await endOf(runId)) ?? null);
    const answer = await answerOf({ store, instance, arm, n, end, runId, known, read });
    if (answer === null) {
      yield { arm, n, runId, scored: null };
      continue;
    }
    const { reason, error, ...own } = answer;
    const record: InstanceRecord = {
      schema: 'testgrad.instance-record/1',
      instanceId: instance.instanceId,
      method: arm.name,
      ...own,
    };
    yield { arm, n, runId, scored: { instance, arm, n, record, runId, reason, error } };
  }
}

type Answer = Omit<InstanceRecord, 'schema' | 'instanceId' | 'method'> & Pick<ScoredCell, 'reason' | 'error'>;

interface Asked {
  readonly store: ArtifactStore;
  readonly instance: PlannedInstance;
  readonly arm: Arm;
  readonly n: number;
  readonly runId: string | null;
  readonly end: ItemEnd | null;
  readonly known: Known;
  readonly read: Map<string, BenchmarkResult>;
}

const NOTHING_MEASURED = {
  among: [],
  steps: 0,
  usage: NO_USAGE,
  durations: { wallMs: 0, modelMs: null, executionMs: null },
  separations: [],
  memory: [],
  error: null,
} as const;

async function answerOf(asked: Asked): Promise<Answer | null> {
  const { store, arm, end, runId, read } = asked;
  const candidates = candidatesOf({ ...asked, states: new Map() });
  if (arm.kind === 'computed') return { ...NOTHING_MEASURED, ...computed({ ...asked, candidates }), candidates };
  if (runId === null) return { ...NOTHING_MEASURED, ...settled(asked), candidates };
  if (end === null || end.kind === 'missing') return null;
  if (end.kind === 'error') {
    const { code, message } = end;
    return {
      ...{ ...NOTHING_MEASURED, chosen: null, decidedBy: 'error', candidates },
      ...{ reason: message, error: { code, message } },
    };
  }
  const result = read.get(runId) ?? (await getJson<BenchmarkResult>({ store, ref: end.result }));
  read.set(runId, result);
  return ofResult({ ...asked, result });
}

function candidatesOf({
  instance,
  n,
  known,
  states,
}: Pick<Asked, 'instance' | 'n' | 'known'> & {
  states: ReadonlyMap<string, 'usable' | 'excluded'>;
}): RecordedCandidate[] {
  const { instanceId, slots } = instance;
  return slots.slice(0, n).map(({ agent, kind }) => ({
    agent,
    state: kind === 'missing' ? 'missing' : kind === 'patch' ? (states.get(agent) ?? 'usable') : 'excluded',
    // An agent that wrote nothing resolves nothing, whether or not someone graded it.
    resolution: kind === 'patch' ? known({ agent, instanceId }) : 'unresolved',
  }));
}

function ofResult({ instance, n, known, result }: Asked & { result: BenchmarkResult }): Answer {
  const indexOf = (agent: string): number => instance.slots.findIndex((slot) => slot.agent === agent);
  const states = new Map(result.candidates.map(({ agent, state }) => [agent, state]));
  const { decidedBy, steps, usage, durations, memory, reason } = result;
  return {
    chosen: result.selected === null ? null : indexOf(result.selected),
    among: [],
    ...{ decidedBy, steps, usage, durations, memory, reason, error: null },
    separations: result.separations.map((separation) => ({
      ...separation,
      passed: separation.passed.map(indexOf),
      failed: separation.failed.map(indexOf),
    })),
    candidates: candidatesOf({ instance, n, known, states }),
  };
}

/** Where there is nothing to select: see {@link isSettled}. */
function settled({ instance, n }: Asked): { chosen: number | null; decidedBy: DecidedBy; reason: string } {
  const { slots } = instance;
  if (!isSettled({ slots, n })) throw new Error(`${instance.instanceId} has candidates to select among.`);
  const patches = patchSlots({ slots, n });
  const [first] = patches;
  if (first === undefined) return { chosen: null, decidedBy: 'nothing', reason: 'No candidate has a patch.' };
  const chosen = slots.findIndex(({ agent }) => agent === first.agent);
  return patches.length === 1
    ? { chosen, decidedBy: 'single-candidate', reason: 'Only one candidate has a patch.' }
    : { chosen, decidedBy: 'equivalent', reason: 'All patches are the same.' };
}

function computed({ instance, arm, n, candidates }: Asked & { candidates: readonly RecordedCandidate[] }): {
  chosen: number | null;
  among: readonly number[];
  decidedBy: DecidedBy;
  reason: string;
} {
  const input: MethodInput = {
    instance: instance.instanceId,
    candidates: candidates.map(({ agent }, index) => ({
      ...{ kind: 'excluded', id: `c${index + 1}`, agent, reason: 'empty', detail: '' },
    })),
  };
  const resolved = candidates.map(({ resolution }) => resolution === 'resolved');
  const result = computedResult({ arm, input, resolved, n });
  const bound = { among: result?.among ?? [], decidedBy: 'bound', reason: result?.reason ?? 'No such agent.' } as const;
  return { ...bound, chosen: result?.index ?? null };
}

function computedResult({
  arm,
  input,
  resolved,
  n,
}: {
  arm: Arm;
  input: MethodInput;
  resolved: readonly boolean[];
  n: number;
}): MethodResult | null {
  switch (arm.method) {
    case 'oracle':
      return selectByOracle({ input, resolved });
    case 'adversary':
      return selectByAdversary({ input, resolved });
    case 'random':
      return selectAtRandom({ input });
    default: {
      const index = singleIndex(arm.name);
      return index < n ? selectSingle({ input, index }) : null;
    }
  }
}
