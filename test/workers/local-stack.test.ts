import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../src/workers/connection.js';
import { startLocalServer } from '../../src/workers/local-server.js';
import { stackStatus, stopLocalStack } from '../../src/workers/local-stack.js';
import { ensureWorker, type LocalWorker } from '../../src/workers/local-worker.js';
import { identify } from '../../src/workers/process-identity.js';
import { missingSearchAttributes, SEARCH_ATTRIBUTE_KEYS } from '../../src/workers/search-attributes.js';
import { stackPaths } from '../../src/workers/stack-files.js';
import { SERVER_START_TIMEOUT_MS, TEST_CACHE_DIR } from '../support/temporal-server.js';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'testgrad-stack-'));
});

afterEach(async () => {
  await stopLocalStack({ home, workerGraceMs: 2_000 });
  await rm(home, { recursive: true, force: true });
});

const up = () => startLocalServer({ home, cacheDir: TEST_CACHE_DIR, env: process.env, report: () => undefined });

const mainFile = fileURLToPath(new URL('../support/worker-main.mjs', import.meta.url));

describe('the server', () => {
  test('two calls at once start one, with retention and search attributes', {
    timeout: SERVER_START_TIMEOUT_MS,
  }, async () => {
    const servers = await Promise.all([up(), up()]);
    expect(servers.map(({ started }) => started).sort()).toEqual([false, true]);
    expect(servers[0].pid).toBe(servers[1].pid);

    const { connection, close } = await connectClient({ target: servers[0].target });
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    const missing = await missingSearchAttributes({ connection, namespace: 'default' });
    await close();
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 86_400);
    expect(missing).toEqual([]);
  });

  test('after SIGKILL it starts on the same file and ports and knows its workflows', async () => {
    const first = await up();
    const before = await connectClient({ target: first.target });
    await before.client.workflow.start('selectPatch', {
      workflowId: 'kept',
      taskQueue: 'nobody',
      args: [],
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTE_KEYS.run, value: 'r1' }],
    });
    await before.close();
    process.kill(first.pid, 'SIGKILL');
    while ((await identify(first.pid)) !== null) await sleep(20);
    expect((await stackStatus({ home })).server?.state).toBe('stopped');

    const second = await up();
    expect(second).toMatchObject({ started: true, target: first.target, uiUrl: first.uiUrl });
    const after = await connectClient({ target: second.target });
    const { status } = await after.client.workflow.getHandle('kept').describe();
    await after.close();
    expect(status.name).toBe('RUNNING');
  });

  test('a record whose pid now belongs to another process is stale, and that process is left alone', async () => {
    const { pid } = await up();
    await stopLocalStack({ home });
    const file = stackPaths(home).serverRecord;
    const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...record, pid: process.pid }));

    expect((await stackStatus({ home })).server?.state).toBe('stopped');
    expect(await stopLocalStack({ home })).toEqual({ workers: 0, server: false });
    const { started, pid: next } = await up();
    expect(started).toBe(true);
    expect(next).not.toBe(pid);
  });

  test('a database of another version is refused with the way out', async () => {
    await up();
    await stopLocalStack({ home });
    await writeFile(stackPaths(home).databaseVersion, '0.0.1\n');
    await expect(up()).rejects.toMatchObject({ code: 'TG-T06', what: expect.stringContaining('CLI 0.0.1') });
  });

  test('one that ends while starting is told with its last lines', async () => {
    const cli = join(home, 'temporal');
    await writeFile(
      cli,
      '#!/bin/sh\n[ "$1" = --version ] && { echo "temporal version 9.9.9"; exit; }\necho no luck >&2\nsleep 0.3\nexit 3\n',
      { mode: 0o755 },
    );
    const failed = startLocalServer({
      home,
      cacheDir: TEST_CACHE_DIR,
      env: { ...process.env, TEMPORAL_CLI_PATH: cli },
      report: () => undefined,
    });
    await expect(failed).rejects.toMatchObject({ code: 'TG-T06', fix: expect.stringContaining('no luck') });
  });
});

describe('a worker', () => {
  const settings = { OPENAI_API_KEY: 'k-0123456789', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };

  test('is started once, kept, replaced for other settings, and stopped', async () => {
    const { target } = await up();
    const ensure = (env: NodeJS.ProcessEnv): Promise<LocalWorker> =>
      ensureWorker({
        home,
        taskQueue: 'q',
        mainFile,
        target,
        env: { ...process.env, TEST_WORKER_ADDRESS: target.address, ...env },
        report: () => undefined,
      });
    const [one, two] = await Promise.all([ensure(settings), ensure(settings)]);
    expect([one.how, two.how].sort()).toEqual(['reused', 'started']);
    expect(one.pid).toBe(two.pid);
    // Such as `testgrad watch` in a terminal without a key.
    expect(await ensure({})).toMatchObject({ how: 'reused', pid: one.pid });

    const other = await ensure({ ...settings, OPENAI_BASE_URL: 'http://127.0.0.1:8/v1' });
    expect(other.how).toBe('replaced');
    expect(await identify(one.pid)).toBeNull();
    expect((await stackStatus({ home })).workers).toMatchObject([{ state: 'running', taskQueue: 'q', pid: other.pid }]);

    process.kill(other.pid, 'SIGKILL');
    const again = await ensure(settings);
    expect(again.how).toBe('started');

    expect(await stopLocalStack({ home })).toEqual({ workers: 1, server: true });
    expect(await identify(again.pid)).toBeNull();
    expect(await stackStatus({ home })).toMatchObject({ server: { state: 'stopped' }, workers: [] });
  });

  test('that ends while starting is told with its last lines and without its settings', async () => {
    const { target } = await up();
    const failed = ensureWorker({
      home,
      taskQueue: 'q/with:signs',
      mainFile,
      target,
      env: { ...process.env, ...settings, TEST_WORKER_MODE: 'breaks' },
      report: () => undefined,
    });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TG-T06', fix: expect.stringContaining('this worker breaks') });
    const written = await readFile(
      join(stackPaths(home).workersDir, `${encodeURIComponent('q/with:signs')}.json`),
      'utf8',
    );
    expect(written).not.toContain(settings.OPENAI_API_KEY);
  });

  test('without a server the error says where none answers', async () => {
    const failed = ensureWorker({
      home,
      taskQueue: 'q',
      mainFile,
      target: { address: '127.0.0.1:9', namespace: 'default' },
      env: process.env,
      report: () => undefined,
    });
    await expect(failed).rejects.toMatchObject({ code: 'TG-T01', what: expect.stringContaining('127.0.0.1:9') });
  });
});
