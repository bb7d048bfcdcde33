import type { ArtifactStore } from '../artifacts/store.js';
import type { Decision } from '../core/decision.js';
import type { MatrixRun } from '../workflows/run-matrix.js';
import { loadFinished } from './finished-run.js';
import { detachedText, follow } from './follow.js';
import type { Invocation } from './invocation.js';
import { printMatrixRun } from './matrix-outcome.js';
import { printOutcome } from './outcome.js';
import { runFailure } from './run-failure.js';
import type { RunRecord } from './run-index.js';
import { workflowUrl } from './session.js';
import type { StartedRun } from './start-run.js';

/** Says that a run goes on without us, and how to come back to it. */
export function printDetached({
  invocation,
  record,
  uiUrl,
}: {
  invocation: Invocation;
  record: RunRecord;
  uiUrl: string | null;
}): number {
  const { terminal, values } = invocation;
  terminal.note(detachedText(record.runId));
  if (uiUrl !== null) terminal.note(uiUrl);
  if (values.on('json')) {
    terminal.json({
      schema: `testgrad.${record.kind}/1`,
      run: { id: record.runId, workflow: record.workflowId, folder: null, ui: uiUrl },
      outcome: 'running',
      selected: null,
    });
  }
  return 0;
}

/**
 * Watches a started run to its end and prints what came out; Ctrl+C leaves it alone. Returns the exit code, throws
 * {@link runFailure} when the run failed or was cancelled.
 */
export async function finishRun({
  invocation,
  home,
  store,
  started,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  started: StartedRun;
}): Promise<number> {
  const { session, handle, record } = started;
  const uiUrl = workflowUrl({ session, workflowId: record.workflowId });
  const { kind, runId, workflowId } = record;
  invocation.events?.launch({ kind, run: runId, workflow: workflowId, ui: uiUrl, attached: started.attached });
  let end: Awaited<ReturnType<typeof follow>>;
  try {
    end = await follow({
      session,
      handle,
      record,
      uiUrl,
      attached: started.attached,
      terminal: invocation.terminal,
      events: invocation.events,
    });
  } catch (error) {
    throw runFailure({ error, runId: record.runId });
  }
  if (end.kind === 'detached') return printDetached({ invocation, record, uiUrl });
  if (record.kind === 'matrix') {
    return printMatrixRun({ invocation, store, record, run: end.value as MatrixRun, uiUrl });
  }
  const finished = await loadFinished({ store, decision: end.value as Decision });
  return printOutcome({ invocation, home, finished, uiUrl });
}
