import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';

/**
 * A process that can be found again. A pid alone is reused by the kernel after the process has ended; together with
 * the moment of its start it names one process.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque: boot id and clock ticks on Linux, the start date of `ps` elsewhere. */
  readonly startedAt: string;
}

/** Identity of a process that runs now, or null when there is none. A zombie counts as ended. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const startedAt = process.platform === 'linux' ? await startOnLinux(pid) : await startByPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** True while exactly this process runs. */
export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.startedAt === startedAt;
}

/**
 * Ends a process: SIGTERM, and after `graceMs` SIGKILL to its whole process group, which must be its own. Does
 * nothing when the process is gone already. Returns false when it is still there 5 seconds after SIGKILL.
 */
export async function endProcess({
  identity,
  graceMs,
}: {
  identity: ProcessIdentity;
  graceMs: number;
}): Promise<boolean> {
  if (!(await isAlive(identity))) return true;
  send({ pid: identity.pid, signal: 'SIGTERM' });
  if (await waitForEnd({ identity, timeoutMs: graceMs })) return true;
  send({ pid: -identity.pid, signal: 'SIGKILL' });
  return waitForEnd({ identity, timeoutMs: 5_000 });
}

async function waitForEnd({ identity, timeoutMs }: { identity: ProcessIdentity; timeoutMs: number }): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await sleep(50);
  }
  return true;
}

function send({ pid, signal }: { pid: number; signal: NodeJS.Signals }): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The command's name stands in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || startTicks === undefined ? null : `${bootId.trim()}/${startTicks}`;
  } catch {
    return null;
  }
}

async function startByPs(pid: number): Promise<string | null> {
  const { stdout, exitCode } = await execa('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    reject: false,
    env: { LC_ALL: 'C' },
  });
  const [state, ...start] = stdout.trim().split(/\s+/);
  return exitCode !== 0 || state === undefined || state.startsWith('Z') ? null : start.join(' ');
}
