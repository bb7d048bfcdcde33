import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { clean, planCleaning } from '../../src/sandbox/docker-clean.js';
import { createContainer, removeContainer } from '../../src/sandbox/docker-container.js';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { ownedContainers, reapContainers, removeContainersOf } from '../../src/sandbox/docker-reaper.js';
import { openSession } from '../../src/sandbox/docker-session.js';
import { BASE_IMAGE, containersOf, HOME, LIMITS, ownerOf } from './containers.js';

const RUN = 'orphans';
afterAll(async () => {
  await removeContainersOf({ runId: RUN, home: HOME });
});

const open = (owner = ownerOf(RUN), lifetimeMs = 60_000) =>
  openSession({ image: BASE_IMAGE, workingDir: '/', limits: LIMITS, lifetimeMs, owner });

it('removes what a killed worker left, and nothing of a living one or without our label', async () => {
  const docker = await connectDocker();
  const stranger = await docker.createContainer({
    Image: BASE_IMAGE,
    Entrypoint: ['tail', '-f', '/dev/null'],
    HostConfig: { NetworkMode: 'none' },
  });
  await stranger.start();
  const program = fileURLToPath(new URL('./programs/endless-container.ts', import.meta.url));
  const hooks = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));
  const worker = spawn(process.execPath, ['--import', hooks, program, BASE_IMAGE, RUN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  const living = await open();
  expect(await containersOf(RUN)).toHaveLength(2);
  expect(await reapContainers()).toEqual({ removed: 0 });
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  const plan = (await planCleaning()).filter(({ kind }) => kind === 'container');
  expect(plan).toMatchObject([{ reason: expect.stringContaining('whose worker is gone') }]);
  expect(await reapContainers({ host: 'another-machine' })).toEqual({ removed: 0 });
  expect(await reapContainers()).toEqual({ removed: 1 });
  expect((await ownedContainers()).map(({ id }) => id)).toContain(living.id);
  expect((await stranger.inspect()).State.Running).toBe(true);
  await stranger.remove({ force: true });
  await living.close();
});

it('removes a container whose time is long over, whoever owns it', async () => {
  const owner = { ...ownerOf(RUN), host: 'a-worker-in-a-container' };
  const living = await open(owner);
  const over = await open(owner, -3_600_000);
  expect((await ownedContainers()).filter(({ orphaned }) => orphaned).map(({ id }) => id)).toEqual([over.id]);
  expect(await reapContainers()).toEqual({ removed: 1 });
  expect(await living.close()).toBe(true);
});

it('removes all of a run or of one activity, started or not', async () => {
  const docker = await connectDocker();
  const [one, other, strange] = [ownerOf(RUN), { ...ownerOf(RUN), activityId: '2' }, ownerOf('another')];
  const plan = {
    image: BASE_IMAGE,
    argv: ['true'],
    env: {},
    workingDir: '/',
    limits: LIMITS,
    cpus: 1,
    lifetimeMs: 60_000,
  };
  for (const owner of [one, one, other, strange]) await createContainer({ docker, plan: { ...plan, owner } });
  expect(await removeContainersOf({ runId: RUN, home: '/another/state/folder' })).toEqual({ removed: 0 });
  expect(await removeContainersOf({ runId: RUN, home: HOME, activityId: '1' })).toEqual({ removed: 2 });
  expect(await removeContainersOf({ runId: RUN, home: HOME })).toEqual({ removed: 1 });
  expect(await containersOf('another')).toHaveLength(1);
  const left = (await planCleaning({ keepRunning: false })).filter(({ reason }) => reason.includes('another'));
  expect(await clean({ plan: left })).toEqual({ removed: 1, stayed: 0 });
});

it('removing what is gone already is no failure', async () => {
  const session = await open();
  expect(await session.close()).toBe(true);
  expect(await session.close()).toBe(true);
  const docker = await connectDocker();
  expect(await removeContainer({ container: docker.getContainer(session.id) })).toBe(true);
});

it('finds nothing to reap where there is no daemon', async () => {
  const host = process.env.DOCKER_HOST;
  process.env.DOCKER_HOST = 'unix:///no/such/socket';
  expect(await reapContainers()).toEqual({ removed: 0 });
  process.env.DOCKER_HOST = host;
});
