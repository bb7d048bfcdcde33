import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type Dockerode from 'dockerode';
import { EnvironmentError } from '../errors.js';

/** A connection to a Docker daemon. */
export type Docker = Dockerode;

/** What a daemon is, as far as it matters here. */
export interface DaemonInfo {
  /** `20.10.24`. */
  readonly version: string;
  /** Architecture of the images that it runs without emulation, in Docker's words: `amd64`, `arm64`. */
  readonly architecture: string;
  /** Free bytes where it keeps images; null when that is not on this machine. */
  readonly freeBytes: number | null;
}

/** No call that answers with one document takes longer on a machine that can run tests. */
const CALL_MS = 120_000;

/** Of a connection that broke; one that could not be made has more, and says so. */
const CUT = ['ECONNRESET', 'EPIPE', 'ENOTFOUND'];

const connections = new Map<string, Promise<Docker>>();

/** The daemon that `DOCKER_HOST` names, by default the one of this machine. Nothing is asked of it yet. */
export function connectDocker(): Promise<Docker> {
  const address = process.env.DOCKER_HOST ?? '';
  const known = connections.get(address) ?? import('dockerode').then(({ default: Client }) => new Client());
  connections.set(address, known);
  return known;
}

/**
 * An answer of the daemon, or a rejection when it does not come: one that dies in the middle of an answer leaves the
 * call waiting for ever. Throws EnvironmentError TG-E01 when it cannot be reached, TG-E02 when it refuses us, Docker's
 * error for whatever it answers.
 */
export async function answerOf<T>(call: Promise<T>, withinMs = CALL_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Docker did not answer within ${withinMs} ms`)), withinMs);
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    throw syscall === 'connect' || CUT.includes(code) ? unreachable(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the daemon what it is. Throws EnvironmentError TG-E01 when it cannot be reached, TG-E02 when it refuses us. */
export async function requireDocker(): Promise<DaemonInfo> {
  try {
    const docker = await connectDocker();
    const version = await answerOf(docker.version(), 10_000);
    return { version: version.Version, architecture: version.Arch, freeBytes: await freeBytesOf({ docker }) };
  } catch (error) {
    throw unreachable(error);
  }
}

/** Free bytes where the daemon keeps its images and containers; null when that is not on this machine. */
export async function freeBytesOf({ docker }: { docker: Docker }): Promise<number | null> {
  const info: { readonly DockerRootDir?: string; readonly Name?: string } = await answerOf(docker.info());
  if (info.Name !== hostname() || info.DockerRootDir === undefined) return null;
  const stat = await statfs(info.DockerRootDir).catch(() => null);
  return stat === null ? null : stat.bavail * stat.bsize;
}

function unreachable(cause: unknown): EnvironmentError {
  if (cause instanceof EnvironmentError) return cause;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const where = process.env.DOCKER_HOST ?? 'the socket of this machine';
  if (code === 'EACCES') {
    return new EnvironmentError({
      code: 'TG-E02',
      what: `Docker refused access at ${where}.`,
      meaning: 'No container can be started. Nothing was spent.',
      fix: 'Add your user to the group docker and log in again, or name another daemon with DOCKER_HOST.',
      cause,
    });
  }
  return new EnvironmentError({
    code: 'TG-E01',
    what: `Docker cannot be reached at ${where}: ${message}`,
    meaning: 'No container can be started. Nothing was spent.',
    fix: 'Start it and check with: docker version. Another daemon is named with DOCKER_HOST.',
    cause,
  });
}
