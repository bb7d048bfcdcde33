import { createHash, timingSafeEqual } from 'node:crypto';

/** Why a request is refused, or null when it may be answered. */
export interface Refusal {
  readonly status: 401 | 403 | 405;
  readonly error: string;
}

/** What of a request decides whether it is answered. */
export interface AskedRequest {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  /** From the address or the Authorization header. */
  readonly token: string | undefined;
}

/**
 * Only reading, only by this machine's browser on our own page, only with the token. Other pages that the browser shows
 * reach a local port too: their requests carry another Origin or Sec-Fetch-Site, and a name that they had resolved to this
 * machine stands in Host.
 */
export function refusalOf({
  request,
  port,
  token,
}: {
  request: AskedRequest;
  port: number;
  token: string;
}): Refusal | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, error: 'This viewer only reads.' };
  }
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(request.header('host') ?? '')) return { status: 403, error: 'Host is not this viewer.' };
  const origin = request.header('origin');
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, error: 'Another page may not ask this viewer.' };
  }
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, error: 'Another page may not ask this viewer.' };
  }
  if (!isSame({ left: request.token ?? '', right: token })) {
    return {
      status: 401,
      error: 'The token is missing or of another viewer: take the address that testgrad view printed.',
    };
  }
  return null;
}

/** Compares without telling by its time how far two texts agree. */
function isSame({ left, right }: { left: string; right: string }): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
