// Stands in for the built `dist/cli/main.js worker`: the real worker with two activities, run from source.
import { registerHooks } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

registerHooks({
  resolve(specifier, context, next) {
    const isSource = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

const { TEST_WORKER_ADDRESS: address, TEST_WORKER_MODE: mode } = process.env;
if (mode === 'breaks') throw new Error('this worker breaks');

const { runWorker } = await import('../../src/workers/create-worker.ts');
const { QUEUE_OF } = await import('../../src/core/queues.ts');
const { createWorkerLogger } = await import('../../src/workers/worker-logger.ts');

const stopping = new AbortController();
const unused = Object.fromEntries(Object.keys(QUEUE_OF).map((name) => [name, async () => null]));
await runWorker({
  target: { address, namespace: 'default' },
  taskQueue: process.argv[process.argv.indexOf('--task-queue') + 1],
  stopping,
  logger: createWorkerLogger(),
  activities: {
    ...unused,
    readRepository: async (text) => `${text} by ${process.pid}`,
    // One step a second, and a look at the signal between two steps.
    executeSuite: async (steps) => {
      for (let step = 0; step < steps; step += 1) {
        stopping.signal.throwIfAborted();
        await sleep(1_000);
      }
      return `ended in ${process.pid}`;
    },
  },
});
