import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectClient, type ServerTarget } from '../../src/workers/connection.js';
import { stackStatus, stopLocalStack } from '../../src/workers/local-stack.js';
import { ensureWorker, type LocalWorker } from '../../src/workers/local-worker.js';
import { identify } from '../../src/workers/process-identity.js';
import { stackPaths } from '../../src/workers/stack-files.js';
import { killNow, useStackHome } from '../support/stack-home.js';

const { home, up } = useStackHome();
const mainFile = fileURLToPath(new URL('../support/worker-main.mjs', import.meta.url));
const settings = { OPENAI_API_KEY: 'k-0123456789', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };

function ensure({
  target,
  env,
  taskQueue = 'q',
  keep = false,
}: {
  target: ServerTarget;
  env: NodeJS.ProcessEnv;
  taskQueue?: string;
  keep?: boolean;
}): Promise<LocalWorker> {
  const whole = { ...process.env, TEST_WORKER_ADDRESS: target.address, ...env };
  return ensureWorker({ home: home(), taskQueue, mainFile, target, env: whole, keep, report: () => undefined });
}

test('a worker is started once, kept, replaced for other settings, and stopped', async () => {
  const { target } = await up();
  const [one, two] = await Promise.all([ensure({ target, env: settings }), ensure({ target, env: settings })]);
  expect([one.how, two.how].sort()).toEqual(['reused', 'started']);
  expect(one.pid).toBe(two.pid);
  // Such as `testgrad watch` in a terminal with another model, or with none.
  for (const env of [{}, { TESTGRAD_REPLAY: '/session.json' }]) {
    expect(await ensure({ target, env, keep: true })).toMatchObject({ how: 'reused', pid: one.pid });
  }

  const other = await ensure({ target, env: { ...settings, OPENAI_BASE_URL: 'http://127.0.0.1:8/v1' } });
  expect(other.how).toBe('replaced');
  expect(await identify(one.pid)).toBeNull();
  const { workers } = await stackStatus({ home: home() });
  expect(workers).toMatchObject([{ state: 'running', taskQueue: 'q', pid: other.pid }]);

  await killNow(other.pid);
  const again = await ensure({ target, env: settings });
  expect(again.how).toBe('started');

  expect(await stopLocalStack({ home: home() })).toEqual({ workers: 1, server: true });
  expect(await identify(again.pid)).toBeNull();
  expect(await stackStatus({ home: home() })).toMatchObject({ server: { state: 'stopped' }, workers: [] });
});

test('a worker goes on after its server was killed, and hands its work over when it is replaced', async () => {
  const { target, pid: serverPid } = await up();
  const first = await ensure({ target, env: settings });
  await killNow(serverPid);
  await up();
  expect(await ensure({ target, env: settings })).toMatchObject({ how: 'reused', pid: first.pid });

  const { client, close } = await connectClient({ target });
  try {
    const suite = await client.activity.start('executeSuite', {
      id: 'suite',
      taskQueue: 'q-sandbox',
      args: [4],
      startToCloseTimeout: '30 seconds',
      heartbeatTimeout: '10 seconds',
    });
    while ((await suite.describe()).runState !== 'STARTED') await sleep(50);
    const second = await ensure({ target, env: { ...settings, OPENAI_API_KEY: 'another-key' } });
    expect(second.how).toBe('replaced');
    expect(await suite.result()).toBe(`ended in ${second.pid}`);
  } finally {
    await close();
  }
});

test('one that ends while starting is told with its last lines, and its key is written nowhere', async () => {
  const { target } = await up();
  const taskQueue = 'q/with:signs';
  const error = await ensure({ target, taskQueue, env: { ...settings, TEST_WORKER_MODE: 'breaks' } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'TG-T06', fix: expect.stringContaining('this worker breaks') });
  const record = await readFile(join(stackPaths(home()).workersDir, `${encodeURIComponent(taskQueue)}.json`), 'utf8');
  expect(record).not.toContain(settings.OPENAI_API_KEY);
});

test('without a server the error says where none answers', async () => {
  const failed = ensure({ target: { address: '127.0.0.1:9', namespace: 'default' }, env: settings });
  await expect(failed).rejects.toMatchObject({ code: 'TG-T01', what: expect.stringContaining('127.0.0.1:9') });
});
