import type { InstancePage, PageData, PageListing } from '../report/page-data.js';

/** Where the page's data come from: the file that it is in, or the viewer that sent it. */
export interface Source {
  readonly kind: 'file' | 'viewer';
  /** The runs to choose from; none in a file. */
  readonly runs: () => Promise<readonly PageListing[]>;
  /** A run as it stands; a file has one, whatever it is asked for. */
  readonly run: (id: string | null) => Promise<PageData>;
  /** An instance of a run that came without it. */
  readonly instance: (place: { readonly run: string; readonly instance: string }) => Promise<InstancePage>;
}

/** A file that holds data shows them; any other page asks the server that it came from. */
export function chooseSource(): Source {
  const packed = document.getElementById('data')?.textContent?.trim() ?? '';
  return packed === '' ? viewerSource() : fileSource(packed);
}

function fileSource(packed: string): Source {
  const data = unpack(packed);
  return {
    kind: 'file',
    runs: async () => [],
    run: () => data,
    instance: async ({ instance }) => {
      throw new Error(`This report holds no details of ${instance}.`);
    },
  };
}

async function unpack(packed: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as PageData;
}

function viewerSource(): Source {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  async function ask<T>(path: string): Promise<T> {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' });
    const body: unknown = await answer.json().catch(() => null);
    if (answer.ok) return body as T;
    const { error } = (body ?? {}) as { error?: string };
    throw new Error(error ?? `The viewer answered with ${answer.status}.`);
  }
  const part = encodeURIComponent;
  return {
    kind: 'viewer',
    runs: () => ask('/api/runs'),
    run: (id) => ask(`/api/runs/${part(id ?? 'last')}`),
    instance: ({ run, instance }) => ask(`/api/runs/${part(run)}/instances/${part(instance)}`),
  };
}
