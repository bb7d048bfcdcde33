import { Context } from '@temporalio/activity';
import {
  type BenchmarkEnd,
  type BenchmarkResults,
  FINISHED_KIND,
  finishedKey,
  type ItemEnd,
} from '../../core/benchmark-result.js';
import type { FinishBenchmarkInput } from '../benchmark-contract.js';
import { putDocument } from '../documents.js';
import type { Services } from '../services.js';
import { itemOnRecord } from './item-record.js';
import { openPlan } from './plan.js';

/**
 * Looks every item of the plan up and keeps what there is, so that none disappears unseen. An end without missing items
 * is bound: from then on the same command is answered from the store.
 */
export async function finishBenchmark({
  services,
  input,
}: {
  services: Services;
  input: FinishBenchmarkInput;
}): Promise<BenchmarkEnd> {
  const { store } = services;
  const { runId, attempt } = input;
  const { plan, item } = await openPlan({ store, ref: input.plan });
  const items: ItemEnd[] = [];
  for (let index = 0; index < plan.items; index += 1) {
    const { runId: id } = await item(index);
    // The newest error counts, of whichever attempt: an item that was not begun again has still failed.
    const record = await itemOnRecord({ store, runId: id, attempt: 0 });
    if (record === null) items.push({ kind: 'missing', runId: id });
    else if (record.kind === 'finished') items.push({ kind: 'finished', runId: id, result: record.ref });
    else items.push({ kind: 'error', runId: id, code: record.outcome.code, message: record.outcome.message });
    if (index % 100 === 99) Context.current().heartbeat({ phase: 'finish', index });
  }
  const results = await putDocument({
    store,
    value: { schema: 'testgrad.benchmark-results/1', runId, attempt, items } satisfies BenchmarkResults,
  });
  const count = (kind: ItemEnd['kind']): number => items.filter((each) => each.kind === kind).length;
  const missing = count('missing');
  const end: BenchmarkEnd = {
    schema: 'testgrad.benchmark-end/1',
    runId,
    results,
    finished: count('finished'),
    errors: count('error'),
    missing,
    complete: missing === 0,
  };
  const ref = await putDocument({ store, value: end });
  if (end.complete) await store.bind({ kind: FINISHED_KIND, key: finishedKey({ runId, attempt }), ref });
  return end;
}
