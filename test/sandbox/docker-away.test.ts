import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseBroken } from '../../src/activities/broken-sandbox.js';
import { columnImage } from '../../src/activities/image-column.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import { ownerOfThisProcess } from '../../src/sandbox/owner.js';
import { toFailure } from '../../src/workers/activity-failure.js';
import { makePlayground, type Playground } from '../support/sandboxes.js';

const before = process.env.DOCKER_HOST;
let ground: Playground;
let server: Server | null = null;
beforeEach(async () => {
  ground = await makePlayground({ kind: 'docker' });
  process.env.DOCKER_HOST = `unix://${join(ground.dir, 'docker.sock')}`;
});
afterEach(async () => {
  server?.close();
  server = null;
  if (before === undefined) delete process.env.DOCKER_HOST;
  else process.env.DOCKER_HOST = before;
  await ground.remove();
});

/** As a daemon that is killed while it is asked. */
async function hangUp(): Promise<void> {
  const hanging = createServer((socket) => socket.once('data', () => socket.destroy()));
  server = hanging;
  await new Promise<void>((resolve) => hanging.listen(join(ground.dir, 'docker.sock'), resolve));
}

test.each([
  ['is not there', async () => undefined],
  ['dies under the question', hangUp],
])('a daemon that %s is away, which is tried again for longer than a sandbox that is broken', async (_, arrange) => {
  await arrange();
  const { exit } = await ground.run({ argv: ['/bin/true'], docker: { image: 'none' } });
  expect(exit).toMatchObject({ kind: 'broken', infra: 'daemon', away: true });
  const fifth = (error: unknown) => toFailure({ error, activity: 'executeSuite', attempt: 5, secrets: [] });
  const thrown = (broken: typeof exit): unknown => {
    try {
      return refuseBroken({ exit: broken, of: 'a.py' });
    } catch (error) {
      return fifth(error);
    }
  };
  expect(thrown(exit)).toMatchObject({ type: 'TG-E01', nonRetryable: false });
  expect(thrown({ kind: 'broken', reason: 'x', infra: 'daemon' })).toMatchObject({
    type: 'TG-S09',
    nonRetryable: true,
  });
  expect(thrown({ kind: 'broken', reason: 'not in the image' })).toBeUndefined();

  // And where an image is made rather than a program run.
  const environment = { image: 'none', python: '/usr/bin/python3', setupCommand: [], limits: {}, pythonPath: [] };
  const instance = { environment, repository: { path: '/testbed' } } as unknown as InstanceSpec;
  const owner = ownerOfThisProcess({ runId: 'away', activityId: '1' });
  const { signal } = new AbortController();
  await expect(columnImage({ instance, tree: ground.treeDir, owner, signal })).rejects.toMatchObject({
    code: 'TG-E01',
  });
});
