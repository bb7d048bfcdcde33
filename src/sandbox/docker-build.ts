import { createHash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { EnvironmentError } from '../errors.js';
import { connectDocker } from './docker-daemon.js';
import { imageIdOf } from './docker-image-tree.js';
import { readProgress } from './docker-progress.js';

/** Repository of the images that we built from somebody's Dockerfile. */
export const BUILT = 'testgrad/built';

/**
 * Builds an image from a Dockerfile, its folder being the context, and gives the image's id. Docker's own cache makes a
 * second build of the same quick. Throws EnvironmentError TG-E05 with the end of what the build said.
 */
export async function buildImage({
  dockerfile,
  onProgress,
  signal,
}: {
  dockerfile: string;
  onProgress?: (text: string) => void;
  signal?: AbortSignal;
}): Promise<string> {
  const path = resolve(dockerfile);
  const name = `${BUILT}:${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
  const docker = await connectDocker();
  let said = '';
  try {
    const stream = await docker.buildImage(
      { context: dirname(path), src: ['.'] },
      { t: name, dockerfile: basename(path), rm: true, forcerm: true },
    );
    const remember = (text: string): void => {
      said = text;
      onProgress?.(text);
    };
    await readProgress({ stream, onProgress: remember, signal });
    return await imageIdOf(name);
  } catch (error) {
    signal?.throwIfAborted();
    throw new EnvironmentError({
      code: 'TG-E05',
      what: `${path} could not be built: ${String((error as Error).message).trim()}${said === '' ? '' : ` (after: ${said})`}`,
      meaning: 'There is no image to run tests in. Nothing was spent.',
      fix: `Build it by hand until it works: docker build -f ${path} ${dirname(path)}`,
      cause: error,
    });
  }
}
