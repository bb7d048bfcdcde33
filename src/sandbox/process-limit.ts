import { release, setPriority } from 'node:os';
import { execa } from 'execa';

/**
 * Lets the kernel bound a fork bomb while the watch is on its way: at most twice `maxProcesses` in the namespace of
 * `initPid`. Twice, so that a program over the limit is stopped by the watch, which says so, and seldom meets a failing
 * fork. Does nothing where the kernel cannot: under root, whose processes it does not count, and before Linux 5.14,
 * which counted all processes of the user.
 */
export async function boundProcesses({
  limiter,
  initPid,
  maxProcesses,
}: {
  limiter: string;
  initPid: number;
  maxProcesses: number;
}): Promise<void> {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const countsByNamespace = major > 5 || (major === 5 && minor >= 14);
  if (process.getuid?.() === 0 || !countsByNamespace) return;
  await execa(limiter, ['--pid', String(initPid), `--nproc=${2 * maxProcesses}`], { reject: false, stdin: 'ignore' });
}

/**
 * Puts a process that is about to be killed ahead of the others. A killed process has to be scheduled to end; without
 * this the first process of a fork bomb waits behind thousands of its children while they go on forking (measured:
 * seconds, and up to 14,000 of them). Works under root, which is where the kernel does not bound them.
 */
export function hurry(pid: number): void {
  try {
    setPriority(pid, -20);
  } catch {
    // Not permitted to other users: there the kernel's own bound holds.
  }
}
