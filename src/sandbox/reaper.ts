import { hostname } from 'node:os';
import { killQuietly, waitUntil } from './launch.js';
import type { SandboxLabel } from './owner.js';
import { decodeLabel, homeDigest, OWNER_VARIABLE, ownerIsGone } from './owner.js';
import { allPids, environmentOf, startTimeOf } from './proc.js';

/**
 * Kills what sandboxes of dead owners left running on this machine.
 *
 * A process is an orphan when it carries a label of this host whose owner does not run any more (no process with its
 * number and start time). Processes without a label, of a living owner, of another host, or of an owner in another
 * process namespace are never touched.
 *
 * @param host default this machine's name; must be what the owners gave
 */
export async function reapOrphans({ host = hostname() }: { host?: string } = {}): Promise<{ readonly killed: number }> {
  return killLabelled((label) => ownerIsGone({ label, host }));
}

/**
 * Kills every process on this machine that carries a label of this run and of this state folder, whichever worker
 * started it. Of another state folder's run with the same inputs, which has the same id, only what a dead owner left.
 */
export async function killOwned({
  runId,
  home,
}: {
  runId: string;
  home: string;
}): Promise<{ readonly killed: number }> {
  const digest = homeDigest(home);
  return killLabelled((label) => label.runId === runId && (label.home === digest || ownerIsGone({ label })));
}

interface Victim {
  readonly pid: number;
  readonly startTime: string;
}

/** Returns when the killed are gone, or after ten seconds: one that hangs in the kernel must not hang its killer. */
async function killLabelled(isMeant: (label: SandboxLabel) => boolean): Promise<{ readonly killed: number }> {
  const victims: Victim[] = [];
  for (const pid of allPids()) {
    const startTime = startTimeOf(pid);
    const text = environmentOf({ pid, name: OWNER_VARIABLE });
    const label = text === null ? null : decodeLabel(text);
    if (pid === process.pid || startTime === null || label === null || !isMeant(label)) continue;
    // The number may have passed to a new process since it was read.
    if (startTimeOf(pid) !== startTime) continue;
    killQuietly(pid);
    victims.push({ pid, startTime });
  }
  const gone = () => victims.every(({ pid, startTime }) => startTimeOf(pid) !== startTime);
  await waitUntil({ done: gone, withinMs: 10_000 });
  return { killed: victims.length };
}
