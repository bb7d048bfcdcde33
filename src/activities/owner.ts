import { Context } from '@temporalio/activity';
import { ownerOfThisProcess } from '../sandbox/owner.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';
import type { Services } from './services.js';

/** Who owns the sandboxes of the running activity; the reaper kills those whose owner is gone. */
export function activityOwner({ runId, services }: { runId: string; services: Pick<Services, 'home'> }): SandboxOwner {
  return ownerOfThisProcess({ runId, activityId: Context.current().info.activityId, home: services.home });
}

/** Names this execution of the workflow among all of the run: one that is started again is another. */
export function executionId({ runId }: { runId: string }): string {
  return Context.current().info.workflowExecution?.runId ?? runId;
}

/**
 * Aborts when the activity is cancelled or replaced, and when a worker that stops has waited for as long as it does:
 * what is in work until then, a test file or a call of the model, comes to its end and need not be paid again.
 */
export function activitySignal(): AbortSignal {
  return Context.current().cancellationSignal;
}

/**
 * Between two pieces of work: throws when the worker is to stop, so that none is begun that it may not end. The worker
 * reports this as a reason for the next one to go on.
 */
export function leaveWhenStopping({ stopping }: Pick<Services, 'stopping'>): void {
  stopping.throwIfAborted();
}
