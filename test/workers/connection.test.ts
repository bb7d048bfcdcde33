import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectClient, resolveServer } from '../../src/workers/connection.js';
import { missingSearchAttributes, registerSearchAttributes } from '../../src/workers/search-attributes.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';

describe('which server', () => {
  let dir: string;
  let noFile: { TEMPORAL_CONFIG_FILE: string };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'testgrad-connection-'));
    noFile = { TEMPORAL_CONFIG_FILE: join(dir, 'absent.toml') };
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  test('is the local one unless an address is set; an empty one is none', async () => {
    expect(await resolveServer({ env: noFile })).toEqual({ kind: 'local' });
    expect(await resolveServer({ env: { ...noFile, TEMPORAL_ADDRESS: '' } })).toEqual({ kind: 'local' });
    expect(await resolveServer({ env: { ...noFile, TEMPORAL_NAMESPACE: 'other' } })).toEqual({ kind: 'local' });
  });

  test('is the one of the environment, with what it takes to be let in', async () => {
    const env = { ...noFile, TEMPORAL_ADDRESS: 'temporal.example:7233' };
    expect(await resolveServer({ env })).toEqual({
      kind: 'configured',
      address: 'temporal.example:7233',
      namespace: 'default',
      config: {},
    });
    const secured = { ...env, TEMPORAL_NAMESPACE: 'bench', TEMPORAL_API_KEY: 'key' };
    expect(await resolveServer({ env: secured })).toEqual({
      kind: 'configured',
      address: 'temporal.example:7233',
      namespace: 'bench',
      config: { apiKey: 'key', tls: true },
    });
  });

  test("is the one of the Temporal CLI's profile", async () => {
    const file = join(dir, 'temporal.toml');
    await writeFile(file, '[profile.lab]\naddress = "lab:7233"\nnamespace = "selection"\n');
    expect(await resolveServer({ env: { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'lab' } })).toMatchObject({
      kind: 'configured',
      address: 'lab:7233',
      namespace: 'selection',
    });
    await expect(
      resolveServer({ env: { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'absent' } }),
    ).rejects.toMatchObject({ code: 'TG-I14', what: expect.stringContaining('absent') });
  });

  test('is an error when the file is broken', async () => {
    const file = join(dir, 'temporal.toml');
    await writeFile(file, '[profile.default\n');
    await expect(resolveServer({ env: { TEMPORAL_CONFIG_FILE: file } })).rejects.toMatchObject({ code: 'TG-I14' });
  });
});

describe('a server', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  }, SERVER_START_TIMEOUT_MS);

  afterAll(() => server?.stop());

  test('without the namespace is told from one that does not answer', async () => {
    const absent = connectClient({ target: { ...server.target, namespace: 'absent' } });
    await expect(absent).rejects.toMatchObject({
      code: 'TG-T01',
      what: expect.stringContaining('no namespace "absent"'),
    });
    const silent = connectClient({ target: { address: '127.0.0.1:9', namespace: 'default' }, connectTimeoutMs: 300 });
    await expect(silent).rejects.toMatchObject({ code: 'TG-T01', what: expect.stringContaining('127.0.0.1:9') });
  });

  test('gets the search attributes that a namespace lacks', async () => {
    const { connection, close } = await connectClient({ target: server.target });
    try {
      const { operatorService } = connection;
      await operatorService.removeSearchAttributes({
        namespace: 'default',
        searchAttributes: ['TestgradRun', 'TestgradTokens'],
      });
      const missing = await missingSearchAttributes({ connection, namespace: 'default' });
      expect(missing.map(({ name }) => name)).toEqual(['TestgradRun', 'TestgradTokens']);

      await registerSearchAttributes({ connection, namespace: 'default' });
      await registerSearchAttributes({ connection, namespace: 'default' });
      expect(await missingSearchAttributes({ connection, namespace: 'default' })).toEqual([]);
    } finally {
      await close();
    }
  });

  test('that holds one with another type is refused', async () => {
    const { connection, close } = await connectClient({ target: server.target });
    try {
      await connection.operatorService.removeSearchAttributes({
        namespace: 'default',
        searchAttributes: ['TestgradCostUsd'],
      });
      await connection.operatorService.addSearchAttributes({
        namespace: 'default',
        searchAttributes: { TestgradCostUsd: 2 },
      });
      await expect(registerSearchAttributes({ connection, namespace: 'default' })).rejects.toMatchObject({
        code: 'TG-T04',
        what: expect.stringContaining('TestgradCostUsd (double)'),
      });
    } finally {
      await close();
    }
  });
});
