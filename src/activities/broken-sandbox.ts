import { EnvironmentError, SandboxError } from '../errors.js';
import type { SandboxResult } from '../sandbox/sandbox.js';

const MEANING = 'Nothing is known about the candidate and nothing is held against it.';

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
  throw new SandboxError({
    code: 'TG-S09',
    what: `The sandbox for ${of} broke: ${exit.reason}`,
    meaning: MEANING,
    fix: 'It is tried again; look at the daemon and its disk (docker system df) when this repeats.',
  });
}
