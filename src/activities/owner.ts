import { Context } from '@temporalio/activity';
import { ownerOfThisProcess } from '../sandbox/owner.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';
import type { Services } from './services.js';

/** Who owns the sandboxes of the running activity; the reaper kills those whose owner is gone. */
export function activityOwner({ runId }: { runId: string }): SandboxOwner {
  return ownerOfThisProcess({ runId, activityId: Context.current().info.activityId });
}

/** Names this execution of the workflow among all of the run: one that is started again is another. */
export function executionId({ runId }: { runId: string }): string {
  return Context.current().info.workflowExecution?.runId ?? runId;
}

/** Aborts when the activity is cancelled or replaced, or when the worker stops. */
export function activitySignal(services: Services): AbortSignal {
  return AbortSignal.any([Context.current().cancellationSignal, services.stopping]);
}
