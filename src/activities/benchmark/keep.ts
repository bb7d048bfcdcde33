import type { ItemOutcome } from '../../core/benchmark-progress.js';
import { type BenchmarkResult, errorLedger, type ItemError, RESULT_KIND } from '../../core/benchmark-result.js';
import type { KeepErrorInput, KeepResultInput } from '../benchmark-contract.js';
import { getDocument, putDocument } from '../documents.js';
import type { Services } from '../services.js';
import { outcomeOf } from './item-record.js';
import { openPlan } from './plan.js';
import { resultOf } from './result.js';

/** Binds the result of an item: from then on it is done. The first one wins. */
export async function keepResult({
  services,
  input,
}: {
  services: Services;
  input: KeepResultInput;
}): Promise<ItemOutcome> {
  const { store } = services;
  const { item } = await openPlan({ store, ref: input.plan });
  const { instanceId, arm } = await item(input.index);
  const result = await resultOf({ store, input, instanceId, arm });
  const ref = await putDocument({ store, value: result satisfies BenchmarkResult });
  const bound = await store.bind({ kind: RESULT_KIND, key: input.runId, ref });
  return outcomeOf(bound.created ? result : await getDocument<BenchmarkResult>({ store, ref: bound.ref }));
}

/** Adds an error to the item's ledger, where the newest counts until there is a result. */
export async function keepError({
  services,
  input,
}: {
  services: Services;
  input: KeepErrorInput;
}): Promise<ItemOutcome> {
  const { runId, attempt, code, message } = input;
  const error: ItemError = { attempt, code, message, at: new Date().toISOString() };
  await services.store.appendLedger({ key: errorLedger(runId), line: JSON.stringify(error) });
  return { kind: 'error', code, message };
}
