import { putDocument } from '../documents.js';
import type { FinishMethodInput, MethodActivities } from '../method-contract.js';
import type { Services } from '../services.js';

/** Kind of the binding of a method's result record; its key is the run's id. */
export const METHOD_KIND = 'method-record';

/** Binds the result record: from then on the run is done. The first record wins. */
export async function finishMethod({
  services,
  input,
}: {
  services: Services;
  input: FinishMethodInput;
}): ReturnType<MethodActivities['finishMethod']> {
  const ref = await putDocument({ store: services.store, value: input.record });
  const bound = await services.store.bind({ kind: METHOD_KIND, key: input.runId, ref });
  return { record: bound.ref };
}
