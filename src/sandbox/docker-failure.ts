import { EnvironmentError } from '../errors.js';
import type { InfraCause, SandboxExit } from './types.js';

/** Errors of Docker as they come from its client. */
interface DockerError {
  readonly message?: string;
  readonly statusCode?: number;
}

/** Which part of our side an error of Docker is about. Whatever it is, no candidate has caused it. */
export function infraCauseOf(error: unknown): InfraCause {
  const { message = String(error) } = error as DockerError;
  if (/no space left on device|disk quota exceeded/i.test(message)) return 'disk';
  if (/toomanyrequests|too many requests|\b429\b|rate.?limit/i.test(message)) return 'registry';
  if (
    /no such image|manifest unknown|manifest for .* not found|pull access denied|repository .*not found/i.test(message)
  )
    return 'image';
  if (/cannot allocate memory|out of memory/i.test(message)) return 'memory';
  return 'daemon';
}

/** An error of Docker as the end of an execution: ours, to be retried. */
export function brokenBy(error: unknown): SandboxExit {
  const { message = String(error) } = error as DockerError;
  const isAway = error instanceof EnvironmentError && error.code === 'TG-E01';
  return {
    ...{ kind: 'broken', reason: `Docker: ${message.trim().slice(0, 2_000)}`, infra: infraCauseOf(error) },
    ...(isAway ? { away: true } : {}),
  };
}

/** True when the thing that was asked for is not there. */
export const isNotFound = (error: unknown): boolean => (error as DockerError).statusCode === 404;
