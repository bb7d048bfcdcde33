import type { ArtifactStore } from '../artifacts/store.js';
import type { Decision } from '../core/decision.js';
import { totalUsage } from '../core/usage.js';
import { findFinishedBenchmark } from './benchmark/finish.js';
import { findFinished } from './finished-run.js';
import { parseWorkflowId } from './run-identity.js';
import type { RunRecord } from './run-index.js';
import type { Session } from './session.js';

/** Where a run stands. `unknown`: it has no result and no server was asked or knows it. */
export type RunState = 'finished' | 'running' | 'failed' | 'cancelled' | 'unknown';

/** A run for a list. */
export interface ListedRun {
  readonly runId: string;
  readonly kind: RunRecord['kind'];
  readonly name: string;
  readonly state: RunState;
  readonly startedAt: string;
  readonly decision: Decision | null;
  /** Of a benchmark whose every item is done: how many ended in which way. */
  readonly ended: { readonly finished: number; readonly errors: number } | null;
  readonly selected: string | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}

const STATES: Readonly<Record<string, RunState>> = {
  RUNNING: 'running',
  COMPLETED: 'finished',
  CONTINUED_AS_NEW: 'running',
  CANCELLED: 'cancelled',
  TERMINATED: 'cancelled',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
};

/** Why a run's state may be unknown. */
export const NO_SERVER = 'No server runs, so what became of a run without a decision is unknown: testgrad up.';

/** State of our workflows on a server by run id; the newest execution of each counts. */
export async function serverStates({ session }: { session: Session }): Promise<ReadonlyMap<string, RunState>> {
  const states = new Map<string, RunState>();
  const newest = new Map<string, number>();
  const query = `WorkflowType IN ('selectPatch', 'runMatrix', 'benchmark')`;
  for await (const execution of session.connected.client.workflow.list({ query })) {
    const run = parseWorkflowId(execution.workflowId);
    const started = execution.startTime.getTime();
    if (run === null || (newest.get(run.runId) ?? -1) > started) continue;
    newest.set(run.runId, started);
    states.set(run.runId, STATES[execution.status.name] ?? 'unknown');
  }
  return states;
}

/** One remembered run with what store and server say about it; the store's word counts first. */
export async function listedRun({
  record,
  store,
  states,
}: {
  record: RunRecord;
  store: ArtifactStore;
  states: ReadonlyMap<string, RunState>;
}): Promise<ListedRun> {
  const { runId, kind, name, startedAt } = record;
  if (kind === 'bench') {
    const end = await findFinishedBenchmark({ store, runId });
    const ended = end === null ? null : { finished: end.finished, errors: end.errors };
    const state = end === null ? (states.get(runId) ?? 'unknown') : 'finished';
    return { runId, kind, name, startedAt, decision: null, ended, state, selected: null, tokens: null, usd: null };
  }
  const finished = await findFinished({ store, runId });
  const decision = finished?.decision ?? null;
  const usage = decision === null ? null : totalUsage(decision.usage);
  return {
    runId,
    kind,
    name,
    startedAt,
    decision,
    ended: null,
    state: decision !== null ? 'finished' : (states.get(runId) ?? 'unknown'),
    selected: decision?.selected ?? null,
    tokens: usage === null ? null : usage.inputTokens + usage.outputTokens,
    usd: usage?.usd ?? null,
  };
}
