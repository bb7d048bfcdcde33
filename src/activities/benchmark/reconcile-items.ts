import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ItemState, ReconcileInput } from '../benchmark-contract.js';
import type { Services } from '../services.js';
import { itemOnRecord } from './item-record.js';

/** Asks the store, and for what it does not know the server. */
export async function reconcileItems({
  services,
  input,
}: {
  services: Services;
  input: ReconcileInput;
}): Promise<readonly ItemState[]> {
  const states: ItemState[] = [];
  for (const { runId, workflowId } of input.items) {
    const running = await isRunning(workflowId);
    // In this order: what ends in between has its record.
    const record = await itemOnRecord({ store: services.store, runId, attempt: input.attempt });
    if (record !== null && !running) states.push({ runId, kind: 'ended', outcome: record.outcome });
    else states.push({ runId, kind: running ? 'running' : 'gone' });
    Context.current().heartbeat({ phase: 'reconcile', done: states.length });
  }
  return states;
}

async function isRunning(workflowId: string): Promise<boolean> {
  try {
    const { status } = await Context.current().client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
