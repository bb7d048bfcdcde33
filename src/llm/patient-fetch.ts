import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';

/**
 * `fetch` for answers that take long to begin.
 *
 * Node's own gives up when no response header has come within five minutes, whatever the caller's timeout; a model
 * that reasons before it answers without streaming takes longer. This one waits until the signal of the request says
 * stop. Bodies are strings, redirects are not followed. Rejects with Node's connection errors, as they are.
 */
export async function patientFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(signal && { signal }),
      },
      (incoming) => {
        const status = incoming.statusCode ?? 500;
        const headers = new Headers();
        for (const [name, value] of Object.entries(incoming.headers)) {
          headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
        }
        const empty = status === 204 || status === 205 || status === 304;
        if (empty) incoming.resume();
        const body = empty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
        resolve(new Response(body, { status, headers }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(typeof init.body === 'string' ? init.body : undefined);
  });
}
