import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** A registry on this machine with one small image under any name, that can be busy or lack a name. */
export interface Registry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** Answers to the next so many requests for a manifest: 429 each. */
  readonly limit: (requests: number) => void;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** Serves `name:latest` for every name that does not begin with `none`. */
export async function startRegistry({ architecture }: { architecture: string }): Promise<Registry> {
  const archive = pack();
  archive.entry({ name: 'hello', mode: 0o644 }, 'from the registry\n');
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  const tar = Buffer.concat(chunks);
  const layer = gzipSync(tar);
  const rootfs = { type: 'layers', diff_ids: [digestOf(tar)] };
  const config = Buffer.from(JSON.stringify({ architecture, os: 'linux', config: {}, rootfs, history: [] }));
  const blobs = new Map([layer, config].map((bytes) => [digestOf(bytes), bytes] as const));
  const type = 'application/vnd.docker.distribution.manifest.v2+json';
  const describe = (bytes: Buffer, mediaType: string) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: type,
      config: describe(config, 'application/vnd.docker.container.image.v1+json'),
      layers: [describe(layer, 'application/vnd.docker.image.rootfs.diff.tar.gzip')],
    }),
  );
  let limited = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    const [, name = '', kind, what = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '') ?? [];
    const send = (status: number, body: Buffer, headers = {}): void => {
      response.writeHead(status, { 'content-length': body.length, ...headers });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const fail = (status: number, code: string): void =>
      send(status, Buffer.from(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] })), {
        'content-type': 'application/json',
      });
    if (request.url === '/v2/') return send(200, Buffer.from('{}'));
    if (kind === 'manifests') {
      requests += 1;
      if (limited > 0) {
        limited -= 1;
        return fail(429, 'TOOMANYREQUESTS');
      }
      if (name.startsWith('none')) return fail(404, 'MANIFEST_UNKNOWN');
      return send(200, manifest, { 'content-type': type, 'docker-content-digest': digestOf(manifest) });
    }
    const blob = blobs.get(what);
    return blob === undefined
      ? fail(404, 'BLOB_UNKNOWN')
      : send(200, blob, { 'content-type': 'application/octet-stream' });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    limit: (count) => {
      limited = count;
    },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
