import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectClient } from '../../src/workers/connection.js';
import { startLocalServer } from '../../src/workers/local-server.js';
import { stackStatus, stopLocalStack } from '../../src/workers/local-stack.js';
import { missingSearchAttributes, SEARCH_ATTRIBUTE_KEYS } from '../../src/workers/search-attributes.js';
import { stackPaths } from '../../src/workers/stack-files.js';
import { findTemporalBinary } from '../../src/workers/temporal-binary.js';
import { killNow, useStackHome } from '../support/stack-home.js';
import { SERVER_START_TIMEOUT_MS, TEST_CACHE_DIR } from '../support/temporal-server.js';

const { home, up } = useStackHome();

test('two calls at once start one server, with retention and search attributes', {
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

test('after SIGKILL the server starts on the same file and ports and knows its workflows', async () => {
  const first = await up();
  const before = await connectClient({ target: first.target });
  await before.client.workflow.start('selectPatch', {
    workflowId: 'kept',
    taskQueue: 'nobody',
    args: [],
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTE_KEYS.run, value: 'r1' }],
  });
  await before.close();
  await killNow(first.pid);
  expect((await stackStatus({ home: home() })).server?.state).toBe('stopped');

  const second = await up();
  expect(second).toMatchObject({ started: true, target: first.target, uiUrl: first.uiUrl });
  const after = await connectClient({ target: second.target });
  const { status } = await after.client.workflow.getHandle('kept').describe();
  await after.close();
  expect(status.name).toBe('RUNNING');
});

test('a record whose pid now belongs to another process is stale, and that process is left alone', async () => {
  const { pid } = await up();
  await stopLocalStack({ home: home() });
  const file = stackPaths(home()).serverRecord;
  const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...record, pid: process.pid }));

  expect((await stackStatus({ home: home() })).server?.state).toBe('stopped');
  expect(await stopLocalStack({ home: home() })).toEqual({ workers: 0, server: false });
  const { started, pid: next } = await up();
  expect(started).toBe(true);
  expect(next).not.toBe(pid);
});

test('a database of another version is refused with the way out', async () => {
  await up();
  await stopLocalStack({ home: home() });
  await writeFile(stackPaths(home()).databaseVersion, '0.0.1\n');
  await expect(up()).rejects.toMatchObject({ code: 'TG-T06', what: expect.stringContaining('CLI 0.0.1') });
});

test('a server that breaks off while starting, as at a port of its own that is taken, is started again', {
  timeout: SERVER_START_TIMEOUT_MS,
}, async () => {
  const { path } = await findTemporalBinary({ env: process.env, cacheDir: TEST_CACHE_DIR });
  const cli = join(home(), 'temporal');
  const breaks =
    'if [ "$1" = server ] && [ ! -e "$0.broken" ]; then touch "$0.broken"; sleep 0.3; echo "panic: x" >&2; seq 60 >&2; exit 2; fi';
  await writeFile(cli, `#!/bin/sh\n${breaks}\nexec ${path} "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, TEMPORAL_CLI_PATH: cli };
  const call = { home: home(), cacheDir: TEST_CACHE_DIR, env, report: () => undefined };
  expect(await startLocalServer(call)).toMatchObject({ started: true });
  expect(await readFile(stackPaths(home()).serverLog, 'utf8')).toContain('panic: x');
});

test('a server that ends while starting is told with its last lines', async () => {
  const cli = join(home(), 'temporal');
  const script =
    'if [ "$1" = --version ]; then echo "temporal version 9.9.9"; else echo no luck; sleep 0.3; exit 3; fi';
  await writeFile(cli, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const failed = startLocalServer({
    home: home(),
    cacheDir: TEST_CACHE_DIR,
    env: { ...process.env, TEMPORAL_CLI_PATH: cli },
    report: () => undefined,
  });
  await expect(failed).rejects.toMatchObject({ code: 'TG-T06', fix: expect.stringContaining('no luck') });
});
