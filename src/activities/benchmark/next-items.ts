import { Context } from '@temporalio/activity';
import { addOutcome, EMPTY_TALLY } from '../../core/benchmark-progress.js';
import type { ItemToStart, NextItemsInput, NextItemsResult } from '../benchmark-contract.js';
import type { Services } from '../services.js';
import { itemOnRecord } from './item-record.js';
import { openPlan } from './plan.js';

/** Items looked at in one call: of a plan that is done, the whole is looked through in a few calls. */
const MAX_LOOKED_AT = 1_000;

/** Goes on through the plan: counts what is done, and stops when as many as wanted are found that are not. */
export async function nextItems({
  services,
  input,
}: {
  services: Services;
  input: NextItemsInput;
}): Promise<NextItemsResult> {
  const { store } = services;
  const { attempt, want, from } = input;
  const { plan, item } = await openPlan({ store, ref: input.plan });
  const items: ItemToStart[] = [];
  let known = EMPTY_TALLY;
  let index = from;
  for (; index < plan.items && items.length < want && index - from < MAX_LOOKED_AT; index += 1) {
    const { runId, instanceId, arm, n } = await item(index);
    const record = await itemOnRecord({ store, runId, attempt });
    if (record === null) items.push({ index, runId, instanceId, arm, n });
    else known = addOutcome({ tally: known, outcome: record.outcome });
    if (index % 100 === 99) Context.current().heartbeat({ phase: 'look through the plan', index });
  }
  return { items, next: index < plan.items ? index : null, known };
}
