// The product's worker with the activities of fakes.mjs; ended with SIGKILL by the bench.

import { itemOnRecord } from '../../dist/activities/benchmark/item-record.js';
import { openPlan } from '../../dist/activities/benchmark/plan.js';
import { createActivities } from '../../dist/activities/index.js';
import { runWorker } from '../../dist/workers/create-worker.js';
import { createServices } from '../../dist/workers/services.js';
import { createWorkerLogger } from '../../dist/workers/worker-logger.js';
import { fakeActivities } from './fakes.mjs';

const { SCALE_ADDRESS: address, SCALE_HOME: home, SCALE_QUEUE: taskQueue } = process.env;
const stopping = new AbortController();
const services = createServices({ home, env: process.env, stopping: stopping.signal });
const real = createActivities({ services });
const settings = JSON.parse(process.env.SCALE_SETTINGS);
const { instanceOf, ...fakes } = fakeActivities({ services, settings });

/** As the real one, but for the repository. */
async function openItem({ plan: ref, index, runId }) {
  const record = await itemOnRecord({ store: services.store, runId, attempt: Number.POSITIVE_INFINITY });
  if (record !== null) return { kind: 'finished', outcome: record.outcome };
  const { instanceId } = await (await openPlan({ store: services.store, ref })).item(index);
  return { kind: 'open', instance: await instanceOf(instanceId), name: instanceId, method: 'testgrad', settings };
}

await runWorker({
  target: { address, namespace: 'default' },
  taskQueue,
  activities: { ...real, ...fakes, openItem },
  stopping,
  logger: createWorkerLogger(),
});
