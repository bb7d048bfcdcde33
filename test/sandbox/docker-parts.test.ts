import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { infraCauseOf } from '../../src/sandbox/docker-failure.js';
import { frameReader } from '../../src/sandbox/docker-frames.js';
import { containerName } from '../../src/sandbox/docker-labels.js';
import { imageNames, officialImage } from '../../src/sandbox/docker-names.js';
import { removalOf } from '../../src/sandbox/docker-removal.js';
import { packItems, unpackItems } from '../../src/sandbox/docker-tar.js';
import { formatTree, hostTree, parseTree, treeChange } from '../../src/sandbox/docker-tree.js';

it('takes the outputs apart, wherever the chunks end', () => {
  const frame = fc.record({ stream: fc.constantFrom(1, 2), bytes: fc.uint8Array({ maxLength: 12 }) });
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (frames, cuts) => {
      const header = (stream: number, length: number) => [stream, 0, 0, 0, 0, 0, 0, length];
      const all = Buffer.from(frames.flatMap(({ stream, bytes }) => [...header(stream, bytes.length), ...bytes]));
      const got: Record<'stdout' | 'stderr', number[]> = { stdout: [], stderr: [] };
      const read = frameReader({
        stdout: (bytes) => got.stdout.push(...bytes),
        stderr: (bytes) => got.stderr.push(...bytes),
      });
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const size = cuts[turn % cuts.length] ?? 1;
        read(all.subarray(at, at + size));
        at += size;
      }
      const of = (stream: number) => frames.filter((one) => one.stream === stream).flatMap(({ bytes }) => [...bytes]);
      expect(got).toEqual({ stdout: of(1), stderr: of(2) });
    }),
  );
});

it('reads a burst of single bytes without nesting', () => {
  let bytes = 0;
  const read = frameReader({ stdout: (chunk) => (bytes += chunk.length), stderr: () => undefined });
  read(Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from([1, 0, 0, 0, 0, 0, 0, 1, 65]))));
  expect(bytes).toBe(100_000);
});

it('keeps bytes, modes and links on the way in, and long names', async () => {
  const path = `/deep/${'x'.repeat(180)}/é ü/a\nb`;
  const content = Buffer.from([0x61, 0x0d, 0x0a, 0xff, 0x00]);
  const archive = packItems([
    { kind: 'folder', path: '/deep', mode: 0o755 },
    { kind: 'file', path, content, mode: 0o755 },
    { kind: 'link', path: '/link', target: '/etc/passwd' },
  ]);
  const { items, complete } = await unpackItems({ archive, maxBytes: 100 });
  expect(complete).toBe(true);
  expect(items.map(({ kind, path: name }) => [kind, name.replace(/\/$/, '')])).toEqual([
    ['folder', 'deep'],
    ['file', path.slice(1)],
    ['other', 'link'],
  ]);
  expect(Buffer.from(items[1]?.content ?? [])).toEqual(content);
});

it('stops reading an archive that is too much, and keeps what came before', async () => {
  const file = (path: string, size: number) =>
    ({ kind: 'file', path, content: Buffer.alloc(size), mode: 0o644 }) as const;
  const result = await unpackItems({
    archive: packItems([file('/a', 5), file('/b', 2_000_000), file('/c', 1)]),
    maxBytes: 100,
  });
  expect(result.complete).toBe(false);
  expect(result.items.map(({ path }) => path)).toEqual(['a']);
  await expect(
    unpackItems({
      archive: packItems([{ kind: 'host-file', path: '/x', from: '/no/such', mode: 0o644 }]),
      maxBytes: 1,
    }),
  ).rejects.toThrow(/ENOENT|no such file/);
});

it('sees a tree on this host as git sees it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-tree-'));
  try {
    await mkdir(join(dir, 'a/b'), { recursive: true });
    await writeFile(join(dir, 'a/b/crlf é'), 'x\r\n');
    await writeFile(join(dir, 'run'), '#!/bin/sh\n');
    await chmod(join(dir, 'run'), 0o755);
    await symlink('a/b', join(dir, 'link'));
    const git = (...args: readonly string[]) =>
      execa('git', ['-c', 'core.autocrlf=false', '-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: dir });
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'x');
    const listed = parseTree((await git('ls-tree', '-r', '-z', '--full-tree', 'HEAD')).stdout);
    expect(listed.size).toBe(3);
    const found = await hostTree({ dir });
    expect(treeChange({ from: listed, to: found })).toEqual({ write: [], remove: [] });
    expect(parseTree(formatTree(found))).toEqual(listed);
    await chmod(join(dir, 'run'), 0o644);
    await rm(join(dir, 'link'));
    expect(treeChange({ from: listed, to: await hostTree({ dir }) })).toEqual({ write: ['run'], remove: ['link'] });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

it('removes the folders that become empty, the deepest first, and no others', () => {
  const to = new Map([['a/kept', { mode: '100644', id: '1' }]]);
  const { items } = removalOf({ at: '/testbed', change: { write: [], remove: ['a/b/c/x', 'd/y', 'top'] }, to });
  const [files, folders] = items.map((item) =>
    item.kind === 'file' ? Buffer.from(item.content).toString().split('\0') : [],
  );
  expect(files).toEqual(['/testbed/a/b/c/x', '/testbed/d/y', '/testbed/top', '']);
  expect(folders).toEqual(['/testbed/a/b/c', '/testbed/a/b', '/testbed/d', '']);
  expect(removalOf({ at: '/testbed', change: { write: ['x'], remove: [] }, to }).prefix).toEqual([]);
});

it('names official images, and takes a row’s own image first', () => {
  const instanceId = 'Django__django-12325';
  expect(officialImage({ instanceId })).toBe('swebench/sweb.eval.x86_64.django_1776_django-12325:latest');
  expect(officialImage({ instanceId, namespace: null, tag: 'v2' })).toBe('sweb.eval.x86_64.django__django-12325:v2');
  expect(officialImage({ instanceId, namespace: 'ours/x', architecture: 'arm64' })).toBe(
    'ours/x/sweb.eval.arm64.django_1776_django-12325:latest',
  );
  expect(imageNames({ instanceId })).toEqual([
    officialImage({ instanceId }),
    officialImage({ instanceId, namespace: null }),
  ]);
  expect(imageNames({ instanceId, image: 'own/image:3', namespace: 'x' })).toEqual(['own/image:3']);
});

it('makes names that Docker takes of any run id', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (runId) => {
      expect(containerName({ runId })).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{1,100}$/);
    }),
  );
  expect(containerName({ runId: 'a' })).not.toBe(containerName({ runId: 'a' }));
});

it.each([
  ['(HTTP code 404) no such container - No such image: a:b ', 'image'],
  ['manifest for swebench/x:latest not found: manifest unknown: manifest unknown', 'image'],
  ['toomanyrequests: You have reached your pull rate limit.', 'registry'],
  ['received unexpected HTTP status: 429 Too Many Requests', 'registry'],
  ['(HTTP code 500) server error - write /var/lib/docker/x: no space left on device', 'disk'],
  ['connect ECONNREFUSED /var/run/docker.sock', 'daemon'],
  ['socket hang up', 'daemon'],
])('takes "%s" for a matter of %s', (message, cause) => {
  expect(infraCauseOf(new Error(message))).toBe(cause);
});
