import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/errors.js';
import { requireDocker } from '../../src/sandbox/docker-daemon.js';

let dir: string;
const before = process.env.DOCKER_HOST;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'testgrad-docker-'));
});
afterEach(() => {
  if (before === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = before;
  rmSync(dir, { recursive: true, force: true });
});

test('a daemon that is not there is TG-E01, with how to look for it', async () => {
  process.env.DOCKER_HOST = `unix://${join(dir, 'none.sock')}`;
  const error: unknown = await requireDocker().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TG-E01', fix: expect.stringContaining('docker version') });
  expect(exitCodeOf(error)).toBe(5);
});

test('a daemon that refuses this user is TG-E02, with the group that it takes', async () => {
  const socket = join(dir, 'docker.sock');
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    // Root may open any socket, so that another user has to ask.
    const script = fileURLToPath(new URL('./programs/ask-docker.ts', import.meta.url));
    const loader = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, script], {
      env: { PATH: process.env.PATH, DOCKER_HOST: `unix://${socket}` },
    });
    expect(JSON.parse(stdout)).toEqual({ code: 'TG-E02', exitCode: 5, fix: expect.stringContaining('group docker') });
  } finally {
    server.close();
  }
});
