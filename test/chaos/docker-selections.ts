import { join } from 'node:path';
import { ensureBaseImage } from '../../scripts/base-image.mjs';
import { prepareDockerd } from '../../scripts/dockerd.mjs';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { makePlace } from '../support/durable-place.js';
import { makeMiniProject } from '../support/mini-project.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { type ChaosDaemon, startChaosDaemon } from './chaos-daemon.js';
import type { ChaosServer } from './chaos-server.js';
import { imageLike, leftInDocker, projectImage, removeImages } from './docker-images.js';
import { persevere } from './persevere.js';
import type { Outcome, Scene } from './scene.js';
import { selectionStage, slowly } from './selections.js';

interface Wish {
  readonly dir: string;
  readonly server: ChaosServer;
  /** With pytest. */
  readonly python: string;
  readonly tell: (line: string) => void;
}

/** Selections in containers of a daemon of their own, or null, and a line that says why, where none can be had. */
export async function openDockerScene({
  tell,
  ...wish
}: Wish): Promise<{ readonly scene: Scene; readonly close: () => Promise<void> } | null> {
  let daemon: ChaosDaemon | null = null;
  let reason = prepareDockerd();
  try {
    if (reason === '') daemon = await startChaosDaemon({ dir: join(wish.dir, 'docker') });
  } catch (error) {
    reason = String((error as Error).message);
  }
  if (daemon === null) {
    tell(`No selections in containers: ${reason}.`);
    return null;
  }
  try {
    // Everything in this process and its workers that asks for Docker.
    process.env.DOCKER_HOST = daemon.host;
    return { scene: await dockerScene({ ...wish, daemon }), close: daemon.stop };
  } catch (error) {
    await daemon.stop();
    throw error;
  }
}

async function dockerScene({
  dir,
  server,
  python,
  daemon,
}: Omit<Wish, 'tell'> & { readonly daemon: ChaosDaemon }): Promise<Scene> {
  const project = await makeMiniProject({ dir: join(dir, 'in-image') });
  const projectOnly = await projectImage({ base: await ensureBaseImage(), repoDir: project.repoDir, python });
  const agents = ['right', 'example-only', 'also-right'];
  return {
    name: 'in containers',
    victims: [
      [['daemon'], 10],
      [['worker'], 6],
      [['server'], 3],
      [['worker', 'daemon'], 4],
      [['server', 'daemon'], 2],
    ],
    ...{ mostKills: 9, workers: 1, callsAtOnce: 1, filesAtOnce: 0, daemon, repositories: [project.repoDir] },
    stage: async ({ name, ends }) => {
      const image = await persevere(() => imageLike({ image: projectOnly, tag: name }));
      ends.push(() => persevere(() => removeImages({ image })));
      const script = slowly(scriptedRun({ updates: MINI_UPDATES.slice(2) }));
      const flags = { image, imageDir: '/testbed', python: undefined, sandbox: undefined };
      const wish = { name, script, files: ['tests/test_slugs.py'], settings: { steps: 2 }, built: true, agents, flags };
      const made = () => makePlace({ ...wish, server, dir, project, python, sandbox: 'docker' as const, ends });
      const place = await persevere(made);
      const stage = selectionStage({ dir, place, server });
      // The image's id is a part of the instance's and so of the run's.
      const { Id: imageId } = await persevere(async () => (await connectDocker()).getImage(image).inspect());
      const names = { [imageId]: 'IMAGE', [place.input.instance.digest]: 'INSTANCE', [place.input.runId]: 'RUN' };
      return {
        ...stage,
        startWorker: () => place.startWorker({ DOCKER_HOST: daemon.host }),
        outcome: async (result): Promise<Outcome> => {
          const outcome = await stage.outcome(result);
          const left = { ...outcome.left, ...(await persevere(() => leftInDocker({ home: place.home, image }))) };
          return { ...renamed({ value: outcome, names }), executions: outcome.executions, left };
        },
      };
    },
  };
}

/** A value with other names for what is called differently in each run. */
function renamed<T>({ value, names }: { value: T; names: Readonly<Record<string, string>> }): T {
  const text = Object.entries(names).reduce((sum, [from, to]) => sum.replaceAll(from, to), JSON.stringify(value));
  return JSON.parse(text) as T;
}
