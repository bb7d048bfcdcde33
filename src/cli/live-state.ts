import type { WorkflowHandle } from '@temporalio/client';
import type { ArtifactRef } from '../core/artifact.js';
import type { BenchmarkProgress } from '../core/benchmark-progress.js';
import type { StepsSoFar } from '../core/loop-state.js';
import { safeLine } from '../report/safe-text.js';
import { queryProgress } from './query-progress.js';
import type { RunRecord } from './run-index.js';
import { NO_SERVER, serverStates } from './run-states.js';
import type { Session } from './session.js';
import type { LiveState } from './viewer-source.js';

/** A list of all states is as dear as one; several questions within this time share it. */
const STATES_MS = 1_000;
/** Without a worker a query waits for half a minute; an answer takes milliseconds. */
const DEADLINE_MS = 4_000;

const NOTHING = { progress: null, benchmarkProgress: null, matrix: null, momentum: null, steps: null } as const;

const SILENT = 'No worker answers; the run waits for one.';

/** Names and messages come from data and from what failed: they are shown as text. */
function shown(progress: BenchmarkProgress): BenchmarkProgress {
  const { running, failed } = progress;
  return {
    ...progress,
    running: running.map((item) => ({ ...item, instanceId: safeLine(item.instanceId) })),
    failed: failed.map((item) => ({
      ...item,
      instanceId: safeLine(item.instanceId),
      message: safeLine(item.message),
    })),
  };
}

/** Asks the server about runs in work; without a session it says that nothing can be known. */
export function liveStates(session: Session | null): (record: RunRecord) => Promise<LiveState> {
  let known: { readonly atMs: number; readonly states: ReturnType<typeof serverStates> } | null = null;
  return async (record) => {
    if (session === null) return { ...NOTHING, state: 'unknown', trouble: NO_SERVER };
    if (known === null || Date.now() - known.atMs > STATES_MS)
      known = { atMs: Date.now(), states: serverStates({ session }) };
    const states = await known.states.catch(() => null);
    if (states === null) return { ...NOTHING, state: 'unknown', trouble: 'The server does not answer.' };
    const state = states.get(record.runId) ?? 'unknown';
    if (state !== 'running') return { ...NOTHING, state, trouble: '' };
    const handle = session.connected.client.workflow.getHandle(record.workflowId);
    if (record.kind === 'bench') {
      const now = await queryProgress<BenchmarkProgress>({ session, handle });
      return now === null
        ? { ...NOTHING, state, trouble: SILENT }
        : { ...NOTHING, state, benchmarkProgress: shown(now), trouble: '' };
    }
    const progress = await queryProgress({ session, handle });
    if (progress === null) return { ...NOTHING, state, trouble: SILENT };
    const [matrix, momentum, steps] = await Promise.all([
      queryLatest<ArtifactRef>({ session, handle, query: 'matrix' }),
      queryLatest<ArtifactRef>({ session, handle, query: 'momentum' }),
      queryLatest<StepsSoFar>({ session, handle, query: 'steps' }),
    ]);
    return { ...NOTHING, state, progress, matrix, momentum, steps, trouble: '' };
  };
}

/** The newest of a kind; null before the first, and for workflows that do not know the query. */
function queryLatest<T>({
  session,
  handle,
  query,
}: {
  session: Session;
  handle: WorkflowHandle;
  query: 'matrix' | 'momentum' | 'steps';
}): Promise<T | null> {
  const ask = (): Promise<T | null> => handle.query<T | null>(query);
  return session.connected.connection.withDeadline(Date.now() + DEADLINE_MS, ask).catch(() => null);
}
