import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildImage } from '../../src/sandbox/docker-build.js';
import { clean, planCleaning } from '../../src/sandbox/docker-clean.js';
import { connectDocker, requireDocker } from '../../src/sandbox/docker-daemon.js';
import { ensureImage } from '../../src/sandbox/docker-pull.js';
import { BASE_IMAGE } from './containers.js';
import { type Registry, startRegistry } from './registry.js';

const QUICK = { firstPauseMs: 50, minFreeBytes: 0 };
let registry: Registry;
let foreign: Registry;

beforeAll(async () => {
  const { architecture } = await requireDocker();
  registry = await startRegistry({ architecture });
  foreign = await startRegistry({ architecture: architecture === 'arm64' ? 'amd64' : 'arm64' });
});
afterEach(async () => {
  await clean({
    plan: (await planCleaning({ unusedMs: 0 })).filter(({ kind }) => kind === 'pulled image' || kind === 'built image'),
  });
});
afterAll(async () => {
  await registry.close();
  await foreign.close();
});

it('says what the daemon is, and what is wrong when there is none', async () => {
  expect(await requireDocker()).toMatchObject({
    version: expect.stringMatching(/^\d+\./),
    architecture: expect.any(String),
  });
  const host = process.env.DOCKER_HOST;
  process.env.DOCKER_HOST = 'unix:///no/such/socket';
  await expect(requireDocker()).rejects.toMatchObject({ code: 'TG-E01' });
  process.env.DOCKER_HOST = host;
});

it('takes an image that is there, and pulls nothing', async () => {
  const image = await ensureImage({ names: ['no/such:1', BASE_IMAGE], ...QUICK });
  expect(image).toMatchObject({
    image: BASE_IMAGE,
    id: expect.stringMatching(/^sha256:/),
    digest: null,
    pulled: false,
  });
});

it('pulls with growing pauses when the registry limits the rate, records the digest and shows progress', async () => {
  // Docker itself asks more than once for each pull.
  registry.limit(5);
  const said: string[] = [];
  const name = `${registry.host}/swebench/sweb.eval.x86_64.a_1776_b-1:latest`;
  const image = await ensureImage({ names: [name], ...QUICK, onProgress: (text) => said.push(text) });
  expect(image).toMatchObject({ image: name, pulled: true, digest: expect.stringMatching(/@sha256:[0-9a-f]{64}$/) });
  expect(said.filter((text) => /too many requests|toomanyrequests/i.test(text))).not.toHaveLength(0);
  expect(said.at(-1)).toMatch(/^\d+ of \d+ MB, \d+ of \d+ layers$/);
  expect((await ensureImage({ names: [name], ...QUICK })).pulled).toBe(false);
});

it('gives up on a rate limit after some attempts, and on a missing name at once', async () => {
  registry.limit(1_000);
  const limited = ensureImage({ names: [`${registry.host}/x/limited`], attempts: 2, ...QUICK });
  await expect(limited).rejects.toMatchObject({ code: 'TG-E05', what: expect.stringMatching(/requests/i) });
  registry.limit(0);
  const before = registry.requests();
  const missing = ensureImage({ names: [`${registry.host}/none/a`, `${registry.host}/none/b`], ...QUICK });
  await expect(missing).rejects.toMatchObject({ code: 'TG-E05', what: expect.stringContaining('none/b') });
  expect(registry.requests() - before).toBeLessThan(6);
});

it('refuses before a pull when the disk is too full, and an image for another processor', async () => {
  const before = registry.requests();
  const full = ensureImage({ names: [`${registry.host}/x/y`], minFreeBytes: 2 ** 60 });
  await expect(full).rejects.toMatchObject({ code: 'TG-E03' });
  expect(registry.requests()).toBe(before);
  const names = [`${foreign.host}/x/y`];
  await expect(ensureImage({ names, ...QUICK })).rejects.toMatchObject({ code: 'TG-E04' });
  expect((await ensureImage({ names, ...QUICK, anyArchitecture: true })).image).toBe(names[0]);
});

it('stops waiting when it is cancelled', async () => {
  registry.limit(1_000);
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const waiting = ensureImage({
    names: [`${registry.host}/x/c`],
    firstPauseMs: 60_000,
    minFreeBytes: 0,
    onProgress,
    signal: controller.signal,
  });
  await expect(waiting).rejects.toThrow(/abort/i);
  registry.limit(0);
});

it('cleans up what it pulled under our name only: a dry run first', async () => {
  const name = `${registry.host}/x/cleaned:1`;
  await ensureImage({ names: [name], ...QUICK });
  const docker = await connectDocker();
  await docker.getImage(name).tag({ repo: 'testgrad-test/mine', tag: '1' });
  const mine = (await planCleaning({ unusedMs: 0 })).filter(({ names }) => names.includes(name));
  expect(mine).toMatchObject([{ kind: 'pulled image', names: expect.not.arrayContaining(['testgrad-test/mine:1']) }]);
  expect((await planCleaning()).filter(({ names }) => names.includes(name))).toEqual([]);
  expect((await docker.getImage(name).inspect()).Id).toBeDefined();
  const problems: string[] = [];
  expect(await clean({ plan: mine, onItem: (_, problem) => problems.push(problem) })).toEqual({
    removed: 1,
    stayed: 0,
  });
  expect(problems).toEqual(['']);
  await expect(docker.getImage(name).inspect()).rejects.toMatchObject({ statusCode: 404 });
  await docker.getImage('testgrad-test/mine:1').remove();
});

it('builds an image from a Dockerfile, and says why when that fails', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-build-'));
  try {
    const dockerfile = join(dir, 'Dockerfile');
    await writeFile(join(dir, 'data'), 'x\n');
    await writeFile(dockerfile, `FROM ${BASE_IMAGE}\nCOPY data /data\nRUN test -f /data\n`);
    const id = await buildImage({ dockerfile });
    expect(id).toMatch(/^sha256:/);
    expect(await buildImage({ dockerfile })).toBe(id);
    await writeFile(dockerfile, `FROM ${BASE_IMAGE}\nRUN echo nothing works && false\n`);
    await expect(buildImage({ dockerfile })).rejects.toMatchObject({
      code: 'TG-E05',
      what: expect.stringContaining('returned a non-zero code: 1'),
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
