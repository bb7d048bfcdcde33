import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importDataset } from '../../../src/swebench/datasets/import-dataset.js';
import { splitFiles } from '../../../src/swebench/datasets/split-files.js';
import { verifiedRow } from './rows.js';

const COMMIT = 'c'.repeat(40);
const FILE = 'data/test-00000-of-00001.jsonl';
const content = Buffer.from(`${JSON.stringify(verifiedRow(1))}\n`);

let dir: string;
let server: Server;
let endpoint: string;
let requests: string[];
/** What the hub does with a request; the default answers it. */
let behave: (url: string, response: ServerResponse) => boolean;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-hub-'));
  requests = [];
  behave = () => false;
  server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(`${url} ${request.headers.authorization ?? ''}`.trim());
    if (behave(url, response)) return;
    if (url.startsWith('/api/datasets/acme/bench/revision/')) response.end(JSON.stringify(listing()));
    else if (url === `/datasets/acme/bench/resolve/${COMMIT}/${FILE}`) response.end(content);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

const listing = () => ({
  sha: COMMIT,
  siblings: [
    { rfilename: 'README.md', size: 3 },
    { rfilename: '../../escape.jsonl', size: 3 },
    {
      rfilename: FILE,
      size: content.length,
      lfs: { sha256: createHash('sha256').update(content).digest('hex'), size: content.length },
    },
  ],
});

const bring = ({
  given = 'acme/bench',
  split = 'test',
  env = {},
}: {
  given?: string;
  split?: string;
  env?: object;
} = {}) =>
  importDataset({ given, split, cacheDir: join(dir, 'cache'), cwd: dir, env: { HF_ENDPOINT: `${endpoint}/`, ...env } });

test('a dataset is downloaded once and kept by its commit', async () => {
  const first = await bring({ env: { HF_TOKEN: 'secret' } });
  expect(first).toMatchObject({ name: 'acme/bench', revision: COMMIT, ids: ['acme__slug-1'], notices: [] });
  expect(requests).toEqual([
    '/api/datasets/acme/bench/revision/main?blobs=true Bearer secret',
    `/datasets/acme/bench/resolve/${COMMIT}/${FILE} Bearer secret`,
  ]);
  await bring();
  expect(requests).toHaveLength(3);
  expect(await bring({ given: `acme/bench@${COMMIT}` })).toMatchObject({ revision: COMMIT, notices: [] });
  expect(requests).toHaveLength(3);
});

test('without network what was fetched before is used, and it is said', async () => {
  await bring();
  const port = endpoint;
  endpoint = 'http://127.0.0.1:9';
  const again = await bring();
  expect(again.ids).toEqual(['acme__slug-1']);
  expect(again.notices).toEqual([expect.stringMatching(/127\.0\.0\.1:9.*used as it was fetched before \(c{40}\)/)]);
  endpoint = port;
});

test('without network and without cache the message says what to do where there is network', async () => {
  endpoint = 'http://127.0.0.1:9';
  await expect(bring()).rejects.toMatchObject({
    code: 'TG-I15',
    what: expect.stringContaining('acme/bench (split test) is not in the cache and cannot be downloaded'),
    fix: expect.stringContaining('hf download acme/bench --repo-type dataset'),
  });
});

test.each([
  [404, 'no such dataset'],
  [401, 'private or gated'],
  [403, 'private or gated'],
])('HTTP %i is told at once', async (status, meaning) => {
  behave = (_, response) => {
    response.writeHead(status).end();
    return true;
  };
  await expect(bring()).rejects.toMatchObject({ code: 'TG-I15', meaning: expect.stringContaining(meaning) });
  expect(requests).toHaveLength(1);
});

test('a server that is busy or fails is asked again', async () => {
  const answers = [503, 429];
  behave = (_, response) => {
    const status = answers.shift();
    if (status === undefined) return false;
    response.writeHead(status, { 'retry-after': '0' }).end();
    return true;
  };
  expect((await bring()).ids).toEqual(['acme__slug-1']);
  expect(requests).toHaveLength(4);
});

test.each([
  ['another content', (response: ServerResponse) => response.end(Buffer.alloc(content.length))],
  ['a short one', (response: ServerResponse) => response.end(content.subarray(5))],
  [
    'one that breaks off',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 10), () => response.destroy());
    },
  ],
])('a transfer with %s is repeated and never taken for the file', async (_, answer) => {
  let bad = true;
  behave = (url, response) => {
    if (!bad || !url.includes('/resolve/')) return false;
    answer(response);
    return true;
  };
  await expect(bring()).rejects.toMatchObject({ code: 'TG-I15' });
  expect(requests.filter((url) => url.includes('/resolve/'))).toHaveLength(3);
  expect((await readdir(join(dir, 'cache'), { recursive: true })).filter((name) => /jsonl/.test(name))).toEqual([]);
  bad = false;
  expect((await bring()).ids).toEqual(['acme__slug-1']);
});

test('a split that is not there is answered with those that are', async () => {
  await expect(bring({ split: 'train' })).rejects.toMatchObject({
    code: 'TG-I15',
    what: expect.stringContaining('no split train'),
    fix: expect.stringContaining('--split test'),
  });
});

test.each([
  ['verified', ['data/test-00000-of-00001.parquet'], ['data/test-00000-of-00001.parquet']],
  ['shards in order', ['data/test-00001-of-00002.parquet', 'data/test-00000-of-00002.parquet'], undefined],
  ['parquet before JSON', ['test.jsonl', 'default/test/0000.parquet'], ['default/test/0000.parquet']],
  ['one folder of several', ['zz/test.parquet', 'data/test.parquet'], ['data/test.parquet']],
  ['no names that only begin alike', ['data/test_extra.parquet', 'data/test.jsonl'], ['data/test.jsonl']],
])('files of a split: %s', (_, paths, files) => {
  expect(splitFiles({ paths, split: 'test' })).toEqual({ kind: 'files', files: files ?? [...paths].sort() });
});
