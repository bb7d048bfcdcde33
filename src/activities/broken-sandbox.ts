import { EnvironmentError, SandboxError } from '../errors.js';
import type { SandboxResult } from '../sandbox/sandbox.js';

const MEANING = 'Nothing is known about the candidate and nothing is held against it.';

/** What to look at when a sandbox breaks again and again. */
export const MACHINE = 'the machine (disk, memory, bubblewrap)';
export const DOCKER = 'the daemon and its disk (docker system df)';

/** TG-S09: our side broke under a candidate, which is tried again. */
export function sandboxBroke({
  what,
  lookAt,
  cause,
}: {
  what: string;
  lookAt: typeof MACHINE | typeof DOCKER;
  cause?: unknown;
}): SandboxError {
  const fix = `It is tried again; look at ${lookAt} when this repeats.`;
  return new SandboxError({ code: 'TG-S09', what, meaning: MEANING, fix, cause });
}

/**
 * Throws when Docker or its machine broke under a program: EnvironmentError TG-E01 when Docker could not be reached,
 * which passes and is tried again for long; else SandboxError TG-S09. A container at its memory limit is an end like any
 * other here, and so is a program that cannot start.
 */
export function refuseBroken({
  exit,
  of,
}: {
  exit: SandboxResult['exit'];
  /** What was run. */
  of: string;
}): void {
  if (exit.kind !== 'broken' || exit.infra === undefined || exit.infra === 'memory') return;
  if (exit.away === true) {
    throw new EnvironmentError({
      code: 'TG-E01',
      what: `Docker could not be reached for ${of}: ${exit.reason}`,
      meaning: MEANING,
      fix: 'It is tried again; start Docker when this repeats, and check with: docker version.',
    });
  }
  throw sandboxBroke({ what: `The sandbox for ${of} broke: ${exit.reason}`, lookAt: DOCKER });
}
