import type { PlannedInstance } from '../../core/benchmark-plan.js';
import type { ItemPlace, OpenItemResult } from '../benchmark-contract.js';
import { getDocument } from '../documents.js';
import type { Services } from '../services.js';
import { instanceOf } from './instance.js';
import { itemOnRecord } from './item-record.js';
import { openPlan } from './plan.js';

/** The result of an item where there is one, else the instance that its method needs. */
export async function openItem({ services, input }: { services: Services; input: ItemPlace }): Promise<OpenItemResult> {
  const { store } = services;
  const { runId, index } = input;
  // An error does not count: whoever starts an item wants it run.
  const record = await itemOnRecord({ store, runId, attempt: Number.POSITIVE_INFINITY });
  if (record !== null) return { kind: 'finished', outcome: record.outcome };
  const reader = await openPlan({ store, ref: input.plan });
  const item = await reader.item(index);
  const arm = reader.arm(item.arm);
  if (arm.kind !== 'run') throw new Error(`Arm ${arm.name} has no runs.`);
  const planned = await getDocument<PlannedInstance>({ store, ref: item.instance });
  const instance = await instanceOf({ services, planned, n: item.n, runId });
  return { kind: 'open', instance, name: item.instanceId, method: arm.method, settings: arm.settings };
}
