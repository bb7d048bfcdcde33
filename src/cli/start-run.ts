import type { WorkflowHandle } from '@temporalio/client';
import { DEFAULT_TASK_QUEUE } from '../core/queues.js';
import type { SelectPatchInput } from '../workflows/select-patch.js';
import { ensureLocalWorker } from './ensure-local-worker.js';
import type { Invocation } from './invocation.js';
import { type InstanceRunKind, localTaskQueue, workflowIdOf } from './run-identity.js';
import { type KnownRun, type RunRecord, rememberRun } from './run-index.js';
import { openSession, type Session, startSession } from './session.js';
import { checkModel, workerEnvironment } from './worker-environment.js';
import { attributesPresent, summaryText, typedAttributes, workflowDetails } from './workflow-metadata.js';

/** A run on a server, started by this command or before. */
export interface StartedRun {
  readonly session: Session;
  readonly handle: WorkflowHandle;
  readonly record: RunRecord;
  /** True when it was in work already. */
  readonly attached: boolean;
}

const WORKFLOW_TYPE = { select: 'selectPatch', matrix: 'runMatrix' } as const satisfies Record<InstanceRunKind, string>;

/**
 * Starts a run, or attaches to the one with the same inputs that is in work. A failed or cancelled run starts again
 * and finds in the store what it had computed.
 *
 * The local server and a worker are started when no server is configured. Throws the errors of these, and TG-M01
 * before anything is started when a model is needed and there is no key; a run that has its worker needs none.
 */
export async function startRun({
  invocation,
  home,
  run,
}: {
  invocation: Invocation;
  home: string;
  run: KnownRun;
}): Promise<StartedRun> {
  const { kind, runId, instance, instanceRef, settings } = run;
  const { values, terminal, cwd } = invocation;
  const env = workerEnvironment({ env: invocation.env, cwd, home });
  const found = await openSession({ invocation, home, start: false });
  if (found === null && kind === 'select') await checkModel(env);
  const session = found ?? (await startSession({ invocation, home }));
  try {
    const workflowId = workflowIdOf({ kind, runId });
    const { client } = session.connected;
    const running = await describeRunning({ session, workflowId });
    // Workers of a configured server have keys of their own.
    if (running === null && kind === 'select' && session.local) await checkModel(env);
    const settingQueue = session.local ? localTaskQueue(env) : DEFAULT_TASK_QUEUE;
    const taskQueue = running?.taskQueue ?? values.text('taskQueue') ?? settingQueue;
    const startedAt = running?.startTime ?? new Date();
    const record = await rememberRun({ home, run, start: { taskQueue, startedAt } });
    await ensureLocalWorker({
      session,
      home,
      env,
      taskQueue,
      own: running === null || taskQueue === settingQueue,
      needsModel: kind === 'select',
      note: terminal.note,
    });
    if (running !== null) {
      return { session, handle: client.workflow.getHandle(workflowId), record, attached: true };
    }
    const upsert = await attributesPresent({ session, note: terminal.note });
    const input: SelectPatchInput = {
      runId,
      instance: instanceRef,
      name: instance.name,
      settings,
      taskQueue,
      upsertSearchAttributes: upsert,
    };
    const handle = await client.workflow.start(WORKFLOW_TYPE[kind], {
      args: [input],
      taskQueue,
      workflowId,
      // Two commands at once share one run; what is done is answered from the store before we come here.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: summaryText(`${instance.name} · ${instance.candidates.length} candidates`),
      staticDetails: workflowDetails({ instance, settings, kind }),
      ...(upsert
        ? { typedSearchAttributes: await typedAttributes({ instance, instanceRef, settings, runId, session }) }
        : {}),
    });
    return { session, handle, record, attached: false };
  } catch (error) {
    await session.connected.close();
    throw error;
  }
}

/** Queue and start of the run if it is in work, else null. */
export async function describeRunning({
  session,
  workflowId,
}: {
  session: Session;
  workflowId: string;
}): Promise<{ readonly taskQueue: string; readonly startTime: Date } | null> {
  const { WorkflowNotFoundError } = await import('@temporalio/client');
  try {
    const found = await session.connected.client.workflow.getHandle(workflowId).describe();
    return found.status.name === 'RUNNING' ? { taskQueue: found.taskQueue, startTime: found.startTime } : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
