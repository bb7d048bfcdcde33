import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUEUE_OF, type QueuedActivity, queueName } from '../../src/core/queues.js';
import { type Activities, runWorker } from '../../src/workers/create-worker.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  client = server.env.client;
}, SERVER_START_TIMEOUT_MS);

afterAll(() => server?.stop());

/** All activities answer with the queue that they ran on; some are replaced. */
function activities(replaced: Partial<Record<QueuedActivity, () => Promise<unknown>>> = {}): Activities {
  const names = Object.keys(QUEUE_OF) as QueuedActivity[];
  const whereItRan = async () => Context.current().info.taskQueue;
  return Object.fromEntries(names.map((name) => [name, replaced[name] ?? whereItRan])) as unknown as Activities;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Runs a worker until `work` has ended; resolves when it has stopped. */
async function withWorker({
  taskQueue,
  own,
  slots,
  reap,
  work,
}: {
  taskQueue: string;
  own?: Activities;
  slots?: { sandbox: number };
  reap?: () => Promise<void>;
  work: (worker: { stopping: AbortController; shutdown: AbortController }) => Promise<void>;
}): Promise<void> {
  const stopping = new AbortController();
  const shutdown = new AbortController();
  const ready = deferred<void>();
  const done = runWorker({
    target: server.target,
    taskQueue,
    activities: own ?? activities(),
    stopping,
    logger: pino({ level: 'silent' }),
    shutdown: shutdown.signal,
    handleSignals: false,
    onReady: ready.resolve,
    ...(slots === undefined ? {} : { slots }),
    ...(reap === undefined ? {} : { reap }),
  });
  try {
    await Promise.race([ready.promise, done]);
    await work({ stopping, shutdown });
  } finally {
    shutdown.abort();
    await done;
  }
}

function execute({ activity, taskQueue, id }: { activity: QueuedActivity; taskQueue: string; id?: string }) {
  return client.activity.start(activity, {
    id: id ?? `${taskQueue}/${activity}`,
    taskQueue: queueName({ taskQueue, family: QUEUE_OF[activity] }),
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { maximumAttempts: 3, initialInterval: '100 ms' },
  });
}

test('every activity is served by the queue of its family', async () => {
  const taskQueue = 'families';
  await withWorker({
    taskQueue,
    work: async () => {
      for (const activity of Object.keys(QUEUE_OF) as QueuedActivity[]) {
        const handle = await execute({ activity, taskQueue });
        expect(await handle.result()).toBe(queueName({ taskQueue, family: QUEUE_OF[activity] }));
      }
    },
  });
});

test('slots bound how many suites run at once', async () => {
  let running = 0;
  let most = 0;
  const suite = async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(150);
    running -= 1;
  };
  await withWorker({
    taskQueue: 'slots',
    slots: { sandbox: 2 },
    own: activities({ executeSuite: suite }),
    work: async () => {
      const ids = [1, 2, 3, 4, 5].map((number) => `slots-${number}`);
      const handles = await Promise.all(ids.map((id) => execute({ activity: 'executeSuite', taskQueue: 'slots', id })));
      await Promise.all(handles.map((handle) => handle.result()));
    },
  });
  expect(most).toBe(2);
});

test('a cancelled activity learns of it within seconds', async () => {
  const started = deferred<void>();
  const waits = async () => {
    started.resolve();
    await Context.current().sleep('1 minute');
  };
  await withWorker({
    taskQueue: 'cancel',
    own: activities({ executeSuite: waits }),
    work: async () => {
      const handle = await execute({ activity: 'executeSuite', taskQueue: 'cancel' });
      await started.promise;
      const cancelledMs = Date.now();
      await handle.cancel('enough');
      await expect(handle.result()).rejects.toThrow();
      expect(Date.now() - cancelledMs).toBeLessThan(15_000);
    },
  });
});

test('on shutdown the activity is told first, and the next worker goes on with it', async () => {
  let attempts = 0;
  const first = deferred<AbortSignal>();
  const taskQueue = 'shutdown';
  let signal: AbortSignal | undefined;
  const suite = async () => {
    attempts += 1;
    if (attempts > 1) return 'done by the next one';
    if (signal === undefined) throw new Error('no signal');
    first.resolve(signal);
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal?.reason)));
    return 'never';
  };
  const own = activities({ executeSuite: suite });
  let handle: Awaited<ReturnType<typeof execute>> | undefined;
  await withWorker({
    taskQueue,
    own,
    work: async ({ stopping, shutdown }) => {
      signal = stopping.signal;
      handle = await execute({ activity: 'executeSuite', taskQueue });
      await first.promise;
      shutdown.abort();
    },
  });
  await withWorker({
    taskQueue,
    own,
    work: async () => {
      expect(await handle?.result()).toBe('done by the next one');
    },
  });
  expect(attempts).toBe(2);
});

test('orphans are looked for before the first activity, and an error there is no obstacle', async () => {
  const order: string[] = [];
  await withWorker({
    taskQueue: 'reaping',
    own: activities({
      readRepository: async () => {
        order.push('activity');
      },
    }),
    reap: async () => {
      order.push('reap');
      throw new Error('no container engine');
    },
    work: async () => {
      await (await execute({ activity: 'readRepository', taskQueue: 'reaping' })).result();
    },
  });
  expect(order).toEqual(['reap', 'activity']);
});

test('without a server it says so', async () => {
  const run = runWorker({
    target: { address: '127.0.0.1:9', namespace: 'default' },
    taskQueue: 'nowhere',
    activities: activities(),
    stopping: new AbortController(),
    logger: pino({ level: 'silent' }),
    handleSignals: false,
  });
  await expect(run).rejects.toMatchObject({ code: 'TG-T01' });
});
