import { InputError } from '../../errors.js';

/** Access to the Hugging Face hub, or to a mirror of it. */
export interface Hub {
  /** Address without a slash at its end; `HF_ENDPOINT` where set. */
  readonly endpoint: string;
  /** Token for gated datasets, `HF_TOKEN`; null without. */
  readonly token: string | null;
}

/** A file of a dataset on the hub. */
export interface HubFile {
  readonly path: string;
  readonly bytes: number | null;
  /** Hash that the hub states; null for files that are kept in git itself. */
  readonly sha256: string | null;
}

/** What the hub has under a revision. */
export interface HubListing {
  /** Commit that the revision stands for. */
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/** The hub could not be asked at all: no network, no name, a proxy that refuses, a server that fails. */
export class HubUnreachable extends Error {
  override readonly name = 'HubUnreachable';
}

const LISTING_TIMEOUT_MS = 20_000;
const ATTEMPTS = 3;
const MAX_WAIT_MS = 30_000;

/** The hub as the environment names it. */
export function hubFromEnvironment(env: NodeJS.ProcessEnv): Hub {
  const endpoint = env.HF_ENDPOINT === undefined || env.HF_ENDPOINT === '' ? 'https://huggingface.co' : env.HF_ENDPOINT;
  return { endpoint: endpoint.replace(/\/+$/, ''), token: env.HF_TOKEN || null };
}

/**
 * The commit and the files of a dataset's revision. Throws {@link HubUnreachable} after three attempts without an
 * answer, TG-I15 when the hub says that there is no such dataset or that a token is needed.
 */
export async function listDataset({
  hub,
  id,
  revision,
}: {
  hub: Hub;
  id: string;
  revision: string;
}): Promise<HubListing> {
  const url = `${hub.endpoint}/api/datasets/${id}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const response = await hubGet({ hub, url, id, timeoutMs: LISTING_TIMEOUT_MS });
  const body = (await response.json().catch(() => null)) as {
    sha?: unknown;
    siblings?: { rfilename?: unknown; size?: unknown; lfs?: { sha256?: unknown } }[];
  } | null;
  if (typeof body?.sha !== 'string' || !/^[0-9a-f]{40}$/.test(body.sha) || !Array.isArray(body.siblings)) {
    throw new HubUnreachable(`${hub.endpoint} answered with something that is no listing`);
  }
  const files = body.siblings.flatMap(({ rfilename, size, lfs }): HubFile[] => {
    if (typeof rfilename !== 'string' || rfilename.split('/').some((part) => part === '..' || part === '')) return [];
    return [
      {
        path: rfilename,
        bytes: typeof size === 'number' ? size : null,
        sha256: typeof lfs?.sha256 === 'string' ? lfs.sha256 : null,
      },
    ];
  });
  return { commit: body.sha, files };
}

/** A successful answer of the hub. Tries three times, as long as it asks to be left alone (at most 30 s), else throws. */
export async function hubGet({
  hub,
  url,
  id,
  timeoutMs,
}: {
  hub: Hub;
  url: string;
  id: string;
  /** Until the answer begins. */
  timeoutMs: number;
}): Promise<Response> {
  let last = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      const headers: Record<string, string> = hub.token === null ? {} : { authorization: `Bearer ${hub.token}` };
      const response = await fetch(url, { headers, signal: stop.signal });
      if (response.ok) return response;
      await response.body?.cancel();
      if ([401, 403, 404].includes(response.status)) throw refused({ id, status: response.status, hub });
      last = `HTTP ${response.status}`;
      await pause({ attempt, retryAfter: response.headers.get('retry-after') });
    } catch (error) {
      if (error instanceof InputError) throw error;
      last = reasonOf(error);
      await pause({ attempt, retryAfter: null });
    } finally {
      clearTimeout(timer);
    }
  }
  throw new HubUnreachable(`${hub.endpoint}: ${last}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer in time';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function pause({ attempt, retryAfter }: { attempt: number; retryAfter: string | null }): Promise<void> {
  if (attempt >= ATTEMPTS) return;
  const asked = Number(retryAfter) * 1000;
  const waitMs = retryAfter !== null && Number.isFinite(asked) ? Math.min(asked, MAX_WAIT_MS) : 200 * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}

function refused({ id, status, hub }: { id: string; status: number; hub: Hub }): InputError {
  const missing = status === 404;
  return new InputError({
    code: 'TG-I15',
    what: `Dataset ${id} cannot be read from ${hub.endpoint} (HTTP ${status}).`,
    meaning: missing
      ? 'There is no such dataset or revision there, or it is private. Nothing was started.'
      : 'It is private or gated. Nothing was started.',
    fix: missing
      ? 'Check the id and the revision; private datasets need HF_TOKEN.'
      : 'Accept its conditions on its page, and set HF_TOKEN to a token with read access.',
  });
}
