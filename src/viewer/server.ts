import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { TestgradError } from '../errors.js';
import { pagePolicy } from '../report/html-report.js';
import { refusalOf } from './guard.js';
import type { ViewerSource } from './sources.js';

/** A viewer that listens. */
export interface Viewer {
  /** Address to open, with the token; without a place in the page. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serves the page and what `source` tells to this machine's browser: 127.0.0.1 only, read-only, with a token. `port` 0 takes
 * a free one. Rejects with the system's error (EADDRINUSE) when the port cannot be had.
 */
export async function startViewer({
  page,
  source,
  port,
  token = randomBytes(24).toString('base64url'),
}: {
  /** The built page. */
  page: string;
  source: ViewerSource;
  port: number;
  token?: string;
}): Promise<Viewer> {
  let listening = port;
  const app = viewerApp({ page, source, token, port: () => listening });
  const server = await new Promise<Server>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () =>
      resolve(started as Server),
    ) as Server;
    started.once('error', reject);
  });
  listening = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${listening}/?token=${token}`,
    port: listening,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function viewerApp({
  page,
  source,
  token,
  port,
}: {
  page: string;
  source: ViewerSource;
  token: string;
  port: () => number;
}): Hono {
  const policy = pagePolicy({ page, connect: "'self'" });
  const app = new Hono();
  app.use('*', async (c, next) => {
    const refusal = refusalOf({ request: asked(c), port: port(), token });
    if (refusal === null) await next();
    else c.res = c.json({ error: refusal.error }, refusal.status);
    for (const [name, value] of Object.entries(headersOf(policy))) c.res.headers.set(name, value);
  });
  app.get('/', (c) => c.html(page));
  app.get('/api/runs', async (c) => c.json(await source.runs()));
  app.get('/api/runs/:run', async (c) => found({ c, value: await source.run(c.req.param('run')) }));
  app.get('/api/runs/:run/instances/:instance', async (c) => {
    const { run, instance } = c.req.param();
    return found({ c, value: await source.instance({ run, instance }) });
  });
  app.notFound((c) => c.json({ error: 'There is nothing here.' }, 404));
  app.onError((error, c) => {
    // What people are to read is said; anything else might tell more than they asked for.
    const said = error instanceof TestgradError ? error.message : 'The viewer could not read that.';
    return c.json({ error: said }, error instanceof TestgradError ? 404 : 500);
  });
  return app;
}

function asked(c: Context) {
  const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
  // An address is shared more easily than a header: it opens the page and nothing else.
  const token = c.req.path === '/' ? c.req.query('token') : bearer;
  return { method: c.req.method, header: (name: string) => c.req.header(name), token };
}

function found({ c, value }: { c: Context; value: unknown }): Response {
  return value === null ? c.json({ error: 'There is no such run.' }, 404) : c.json(value as object);
}

function headersOf(policy: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
