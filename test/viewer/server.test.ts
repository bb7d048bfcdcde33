import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ResultError } from '../../src/errors.js';
import { startViewer, type Viewer } from '../../src/viewer/server.js';
import type { ViewerSource } from '../../src/viewer/sources.js';

const PAGE = '<html><head><script type="module">1</script><style>a{}</style></head></html>';
const TOKEN = 'the-token';

const source: ViewerSource = {
  runs: async () => [],
  run: async (id) => {
    if (id === 'broken') throw new Error('/secret/path cannot be read');
    if (id === 'several')
      throw new ResultError({ code: 'TG-R05', what: 'Two runs.', meaning: 'None.', fix: 'Say more.' });
    return null;
  },
  instance: async () => null,
};

let viewer: Viewer;
beforeAll(async () => {
  viewer = await startViewer({ page: PAGE, source, port: 0, token: TOKEN });
});
afterAll(() => viewer?.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with the headers as they are given, which fetch would not send. */
function ask({
  path = '/api/runs',
  method = 'GET',
  headers = {},
}: {
  path?: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
} = {}): Promise<Answer> {
  const all = { host: `127.0.0.1:${viewer.port}`, authorization: `Bearer ${TOKEN}`, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: viewer.port, path, method, headers: all }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += String(chunk);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

const status = async (asked: Parameters<typeof ask>[0]): Promise<number> => (await ask(asked)).status;

test('the page comes with the token in its address, and data with the token in a header', async () => {
  expect(viewer.url).toBe(`http://127.0.0.1:${viewer.port}/?token=${TOKEN}`);
  expect((await ask({ path: `/?token=${TOKEN}`, headers: { authorization: '' } })).body).toBe(PAGE);
  expect(await ask()).toMatchObject({ status: 200, body: '[]' });
});

test('without the token, with another one, or with the one of the page in the address of data, nothing is told', async () => {
  expect(await status({ path: '/', headers: { authorization: '' } })).toBe(401);
  expect(await status({ path: '/?token=other' })).toBe(401);
  expect(await status({ headers: { authorization: '' } })).toBe(401);
  expect(await status({ headers: { authorization: `Bearer ${TOKEN}x` } })).toBe(401);
  expect(await status({ path: `/api/runs?token=${TOKEN}`, headers: { authorization: '' } })).toBe(401);
  expect((await ask({ path: '/' })).body).not.toContain('<html>');
});

test('a name that another page had resolved to this machine is refused', async () => {
  expect(await status({ headers: { host: `evil.example:${viewer.port}` } })).toBe(403);
  expect(await status({ headers: { host: '127.0.0.1' } })).toBe(403);
  expect(await status({ headers: { host: `localhost:${viewer.port}` } })).toBe(200);
});

test('a request of another page is refused, whatever it knows', async () => {
  expect(await status({ headers: { origin: 'https://evil.example' } })).toBe(403);
  expect(await status({ headers: { origin: 'null' } })).toBe(403);
  expect(await status({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
  expect(await status({ headers: { 'sec-fetch-site': 'same-site' } })).toBe(403);
  expect(
    await status({ headers: { origin: `http://127.0.0.1:${viewer.port}`, 'sec-fetch-site': 'same-origin' } }),
  ).toBe(200);
});

test('nothing but reading is answered', async () => {
  const methods = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
  expect(await Promise.all(methods.map((method) => status({ method })))).toEqual(methods.map(() => 405));
});

test('every answer forbids what the page does not need, and is kept nowhere', async () => {
  const answers = [await ask({ path: `/?token=${TOKEN}` }), await ask(), await ask({ headers: { authorization: '' } })];
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('an unknown run, one that is not told apart and one that cannot be read are said in words for a person', async () => {
  expect(await ask({ path: '/api/runs/none' })).toMatchObject({
    status: 404,
    body: '{"error":"There is no such run."}',
  });
  expect((await ask({ path: '/api/runs/several' })).body).toContain('Two runs.');
  const broken = await ask({ path: '/api/runs/broken' });
  expect(broken.status).toBe(500);
  expect(broken.body).not.toContain('/secret');
  expect(await status({ path: '/etc/passwd' })).toBe(404);
});
