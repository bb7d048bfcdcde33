import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { EnvironmentError } from '../errors.js';
import { answerOf, connectDocker, type Docker, freeBytesOf } from './docker-daemon.js';
import { infraCauseOf, isNotFound } from './docker-failure.js';
import { readProgress } from './docker-progress.js';

/** Repository of the tags that tell images that we pulled from those that were there. */
export const PULLED = 'testgrad/pulled';

/** Our tag for an image that was pulled under a name; renewed at each use. */
export function pulledTag(image: string): string {
  const complete = /[:@][^/]*$/.test(image) ? image : `${image}:latest`;
  return createHash('sha256').update(complete).digest('hex').slice(0, 32);
}

/** An image that is there. */
export interface LocalImage {
  /** Name under which it was found. */
  readonly image: string;
  /** `sha256:…`; stays the same image whatever the name comes to mean. */
  readonly id: string;
  /** Digest in the registry, `name@sha256:…`; null for an image that comes from none. */
  readonly digest: string | null;
  /** `amd64`, `arm64`. */
  readonly architecture: string;
  readonly bytes: number;
  /** True when it was not there before. */
  readonly pulled: boolean;
}

/** How an image is waited for. */
export interface PullOptions {
  /** Pulls at most; default 6. */
  readonly attempts?: number;
  /** Pause after the first failed pull, twice as long after each further one, a minute at most; default 2,000. */
  readonly firstPauseMs?: number;
  /** Nothing is pulled with less room than this; default 8 GiB, a large official image unpacked. */
  readonly minFreeBytes?: number;
  /** True where Docker emulates other processors; default false. */
  readonly anyArchitecture?: boolean;
  /** `23 of 41 MB, 3 of 7 layers`, or why it waits. */
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
}

const MAX_PAUSE_MS = 60_000;

/**
 * The first of several names that is there or can be pulled.
 *
 * A registry that is busy, or limits the rate, is asked again after growing pauses. Throws EnvironmentError TG-E03
 * before a pull when the disk is too full for it, TG-E04 when the image is for another processor, TG-E05 when no name
 * can be had.
 */
export async function ensureImage({
  names,
  ...options
}: { names: readonly string[] } & PullOptions): Promise<LocalImage> {
  const docker = await connectDocker();
  for (const image of names) {
    const found = await describeImage({ docker, image, pulled: false });
    if (found !== null) return fitting({ docker, found, options });
  }
  await requireRoom({ docker, names, minFreeBytes: options.minFreeBytes ?? 8 * 1024 ** 3 });
  const reasons: string[] = [];
  for (const image of names) {
    const reason = await pullPatiently({ docker, image, options });
    const found = reason === null ? await describeImage({ docker, image, pulled: true }) : null;
    if (found === null) {
      reasons.push(`${image}: ${reason ?? 'it is not there after the pull'}`);
      continue;
    }
    await answerOf(docker.getImage(image).tag({ repo: PULLED, tag: pulledTag(image) }));
    return fitting({ docker, found, options });
  }
  throw new EnvironmentError({
    code: 'TG-E05',
    what: `No image could be had. ${reasons.join('; ')}`,
    meaning: 'No test was run, and nothing is held against a candidate.',
    fix: 'Check the name, the tag and the login with: docker pull. For a rate limit wait, or log in to the registry.',
  });
}

/** An image by one of its names, or null when it is not there. */
async function describeImage(input: { docker: Docker; image: string; pulled: boolean }): Promise<LocalImage | null> {
  const { docker, image, pulled } = input;
  try {
    const found = await answerOf(docker.getImage(image).inspect());
    const digest = found.RepoDigests?.[0] ?? null;
    const tag = pulledTag(image);
    if (found.RepoTags?.includes(`${PULLED}:${tag}`)) await answerOf(docker.getImage(image).tag({ repo: PULLED, tag }));
    return { image, id: found.Id, digest, architecture: found.Architecture, bytes: found.Size, pulled };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Null when it was pulled, else why not. */
async function pullPatiently({
  docker,
  image,
  options,
}: {
  docker: Docker;
  image: string;
  options: PullOptions;
}): Promise<string | null> {
  const { attempts = 6, firstPauseMs = 2_000, onProgress, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      signal?.throwIfAborted();
      await readProgress({ stream: await docker.pull(image), onProgress, signal });
      return null;
    } catch (error) {
      signal?.throwIfAborted();
      const reason = String((error as Error).message).trim();
      // What is not there will not be there in a minute, nor will the disk have grown.
      if (['image', 'disk'].includes(infraCauseOf(error)) || attempt >= attempts) return reason;
      const pauseMs = Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
      onProgress?.(`${reason}; pull ${attempt + 1} of ${attempts} in ${Math.ceil(pauseMs / 1_000)} s`);
      await wait(pauseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function requireRoom(input: { docker: Docker; names: readonly string[]; minFreeBytes: number }): Promise<void> {
  const { docker, names, minFreeBytes } = input;
  const free = await freeBytesOf({ docker });
  if (free === null || free >= minFreeBytes) return;
  throw new EnvironmentError({
    code: 'TG-E03',
    what: `${names[0]} has to be pulled, and only ${megabytes(free)} MB are free where Docker keeps its images (${megabytes(minFreeBytes)} MB are wanted).`,
    meaning: 'Nothing was pulled, and nothing was spent.',
    fix: 'Make room, for instance by removing what earlier runs left, or name another daemon with DOCKER_HOST.',
  });
}

async function fitting(input: { docker: Docker; found: LocalImage; options: PullOptions }): Promise<LocalImage> {
  const { docker, found, options } = input;
  const { Arch: architecture } = await answerOf(docker.version());
  if (options.anyArchitecture === true || found.architecture === architecture) return found;
  throw new EnvironmentError({
    code: 'TG-E04',
    what: `${found.image} is an image for ${found.architecture}, and Docker runs on ${architecture} here.`,
    meaning: 'Its programs would not start, or many times slower. Nothing was spent.',
    fix: `Use a machine with ${found.architecture}, or an image for ${architecture}.`,
  });
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1e6);
