import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { execa } from 'execa';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openArtifacts } from '../../src/artifacts/open-store.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { getText, putText } from '../../src/artifacts/values.js';
import { isRetryable } from '../../src/errors.js';
import { S3_SECRET, type S3Server, startS3Server } from '../support/s3-server.js';
import { describeArtifactStore } from './contract.js';

const server = await startS3Server();
await server?.makeBucket('artifacts');
const proxies: Server[] = [];

afterEach(() => {
  for (const proxy of proxies.splice(0)) {
    proxy.close();
    proxy.closeAllConnections();
  }
});
afterAll(() => server?.close());

function openStore({
  prefix = randomUUID(),
  bucket = 'artifacts',
  env = {},
}: {
  prefix?: string;
  bucket?: string;
  env?: Readonly<Record<string, string>>;
} = {}): ArtifactStore {
  const TESTGRAD_ARTIFACTS = `s3://${bucket}/${prefix}`;
  return openArtifacts({ env: { ...server?.env, TESTGRAD_ARTIFACTS, ...env }, dir: '/nowhere' });
}

/** A server between the store and the storage; `handle` decides what comes of a request. */
async function throughProxy(
  handle: (call: {
    incoming: IncomingMessage;
    outgoing: ServerResponse;
    pass: (headers: NodeJS.Dict<string | string[]>) => void;
  }) => void,
): Promise<Record<string, string>> {
  const proxy = createServer((incoming, outgoing) => {
    const pass = (headers: NodeJS.Dict<string | string[]>): void => {
      const url = new URL(incoming.url ?? '', server?.endpoint);
      const forward = requestTo(url, { method: incoming.method ?? 'GET', headers }, (answer) => {
        if (outgoing.destroyed) {
          answer.resume();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forward);
    };
    handle({ incoming, outgoing, pass });
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

describe.skipIf(server === null)('with a server', () => {
  describeArtifactStore({ name: 'S3', open: async () => openStore() });

  test('the names in the bucket are the documented ones', async () => {
    const prefix = `team/${randomUUID()}`;
    const store = openStore({ prefix });
    const ref = await putText({ store, text: 'x' });
    await store.bind({ kind: 'outcome', key: 'A', ref });
    await store.createMarker({ kind: 'turn', key: 'abc' });
    for (const line of ['1', '2']) await store.appendLedger({ key: 'abc', line });
    const listing = await (
      await fetch(`${(server as S3Server).endpoint}/artifacts?prefix=${prefix}&list-type=2`)
    ).text();
    expect([...listing.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key?.slice(prefix.length + 1))).toEqual([
      'conditional-writes',
      'ledger/abc/000000000001',
      'ledger/abc/000000000002',
      'markers/turn/abc',
      `objects/${ref.digest.slice(0, 2)}/${ref.digest}`,
      'refs/outcome/~559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd',
    ]);
  });

  test('two machines share it: one binds a name, and no line of a ledger is lost or out of order', async () => {
    const prefix = randomUUID();
    const machines = [openStore({ prefix }), openStore({ prefix })];
    const bound = await Promise.all(
      machines.map(async (store, n) =>
        store.bind({ kind: 'k', key: 'race', ref: await putText({ store, text: String(n) }) }),
      ),
    );
    expect(bound.filter(({ created }) => created)).toHaveLength(1);
    await Promise.all(
      machines.map(async (store, writer) => {
        for (let entry = 0; entry < 10; entry += 1) {
          await store.appendLedger({ key: 'shared', line: JSON.stringify({ writer, entry }) });
        }
      }),
    );
    const lines = (await openStore({ prefix }).readLedger({ key: 'shared' })).map((line) => JSON.parse(line));
    for (const writer of [0, 1]) {
      expect(lines.filter((line) => line.writer === writer).map(({ entry }) => entry)).toEqual([...Array(10).keys()]);
    }
  });

  test('a large object is sent once, and a damaged one is refused and healed', async () => {
    const prefix = randomUUID();
    const methods: string[] = [];
    const env = await throughProxy(({ incoming, pass }) => {
      methods.push(incoming.method ?? '');
      pass(incoming.headers);
    });
    const store = openStore({ prefix, env });
    const bytes = Buffer.alloc(200_000, 'large');
    const ref = await store.put({ bytes, mediaType: 'application/octet-stream' });
    await store.put({ bytes, mediaType: 'application/octet-stream' });
    expect(methods).toEqual(['HEAD', 'PUT', 'HEAD']);

    const object = `${server?.endpoint}/artifacts/${prefix}/objects/${ref.digest.slice(0, 2)}/${ref.digest}`;
    const damaged = await fetch(object, {
      method: 'PUT',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request' },
      body: Buffer.alloc(200_000, 'other'),
    });
    expect(damaged.status).toBe(200);
    await expect(store.get(ref)).rejects.toMatchObject({ code: 'TG-R07' });
    await store.put({ bytes, mediaType: 'application/octet-stream' });
    expect(Buffer.from(await store.get(ref)).equals(bytes)).toBe(true);
  });

  test('a write whose answer is lost counts once: it is still ours, and a ledger has its line once', async () => {
    const prefix = randomUUID();
    await openStore({ prefix }).createMarker({ kind: 'any', key: 'first' });
    let lost = 0;
    const env = await throughProxy(({ incoming, outgoing, pass }) => {
      pass(incoming.headers);
      if (incoming.headers['if-none-match'] === undefined || ++lost % 2 === 0) return;
      incoming.once('end', () => setTimeout(() => outgoing.destroy(), 100));
      outgoing.writeHead = () => outgoing;
      outgoing.write = () => true;
      outgoing.end = () => outgoing;
    });
    const store = openStore({ prefix, env });
    const ref = await putText({ store, text: 'answer' });
    expect(await store.bind({ kind: 'k', key: 'a', ref })).toEqual({ ref, created: true });
    expect(await store.createMarker({ kind: 'k', key: 'a' })).toBe(true);
    await store.appendLedger({ key: 'a', line: 'sent' });
    expect(await store.readLedger({ key: 'a' })).toEqual(['sent']);
    expect(lost).toBeGreaterThanOrEqual(6);
  });

  test('an outage of seconds is bridged', async () => {
    let refused = 2;
    const env = await throughProxy(({ incoming, outgoing, pass }) => {
      if (refused-- > 0) outgoing.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
      else pass(incoming.headers);
    });
    const store = openStore({ env });
    expect(await getText({ store, ref: await putText({ store, text: 'through' }) })).toBe('through');
  });

  test('storage without conditional writes is refused before one counts', async () => {
    const env = await throughProxy(({ incoming, pass }) => {
      const { 'if-none-match': _, ...others } = incoming.headers;
      pass(others);
    });
    const store = openStore({ env });
    const ref = await putText({ store, text: 'x' });
    await expect(store.bind({ kind: 'k', key: 'a', ref })).rejects.toMatchObject({ code: 'TG-E11' });
    expect(await store.lookup({ kind: 'k', key: 'a' })).toBeUndefined();
  });

  test('a bucket that is not there is not tried again', async () => {
    const error = await putText({ store: openStore({ bucket: 'nobodys' }), text: 'x' }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'TG-E11', what: expect.stringContaining('NoSuchBucket') });
    expect(isRetryable(error)).toBe(false);
  });
});

test('storage that does not answer is tried again later, and no message holds the keys', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE0123456', AWS_SECRET_ACCESS_KEY: S3_SECRET };
  const env = { ...keys, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9', AWS_REGION: 'us-east-1' };
  const error = await putText({ store: openStore({ env }), text: 'x' }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'TG-E10' });
  expect(isRetryable(error)).toBe(true);
  expect(error.message).not.toContain('AKID');
  expect(inspect(error, { depth: 20 })).not.toContain(S3_SECRET);
});

test('who keeps artifacts in the state folder never loads the S3 client', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    const { openArtifacts } = await import('./src/artifacts/open-store.ts');
    await openArtifacts({ env: {}, dir: '/nowhere' }).has({ digest: '0'.repeat(64) });
    console.log(JSON.stringify([loaded.length > 3, loaded.filter((url) => /aws-sdk|smithy/.test(url))]));`;
  const { stdout } = await execa(process.execPath, [
    ...['--import', './test/support/typescript.mjs', '--input-type=module', '--eval', program],
  ]);
  expect(JSON.parse(stdout)).toEqual([true, []]);
});
