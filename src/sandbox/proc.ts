import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** What `/proc/PID/stat` says that matters here. */
export interface ProcessStat {
  readonly pid: number;
  /** One letter; `Z` is a process that has ended and is not yet collected. */
  readonly state: string;
  readonly processGroup: number;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

/** State of a process, or null when there is none (or no `/proc`). */
export function statOf(pid: number): ProcessStat | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const startTime = fields[19];
  if (state === undefined || group === undefined || startTime === undefined) return null;
  return { pid, state, processGroup: Number(group), startTime };
}

/** Start time of a running process in clock ticks since boot; null when it is gone or has ended. */
export function startTimeOf(pid: number): string | null {
  const stat = statOf(pid);
  return stat === null || stat.state === 'Z' ? null : stat.startTime;
}

/** Numbers of all processes that `/proc` shows; empty without `/proc`. */
export function allPids(): readonly number[] {
  try {
    return readdirSync('/proc').filter(isNumber).map(Number);
  } catch {
    return [];
  }
}

/** Value of a variable in the environment a process was started with; null when absent or not readable. */
export function environmentOf({ pid, name }: { pid: number; name: string }): string | null {
  const text = readOrNull(`/proc/${pid}/environ`);
  if (text === null) return null;
  const entry = text.split('\0').find((line) => line.startsWith(`${name}=`));
  return entry === undefined ? null : entry.slice(name.length + 1);
}

/** Threads of a process (1 for most); 0 when it is gone. `procDir` is the `/proc` to look in. */
export function threadsOf({ pid, procDir = '/proc' }: { pid: number; procDir?: string }): number {
  try {
    // A directory has two links of its own and one for each sub-directory.
    return Math.max(0, statSync(`${procDir}/${pid}/task`).nlink - 2);
  } catch {
    return 0;
  }
}

/**
 * Processes and threads in the process namespace whose first process is `initPid`, that one included.
 * Looks through that process's own `/proc`, so that the cost does not grow with the host.
 *
 * @returns the count, at most about `enough` (the walk ends there); 0 when the namespace is gone
 */
export function tasksInNamespace({ initPid, enough }: { initPid: number; enough: number }): number {
  const procDir = `/proc/${initPid}/root/proc`;
  // While the namespace is being prepared this is still the host's own /proc. This process is visible there only.
  if (existsSync(`${procDir}/self`)) return 0;
  try {
    const pids = readdirSync(procDir).filter(isNumber);
    if (pids.length > enough) return pids.length;
    return pids.reduce((sum, pid) => sum + threadsOf({ pid: Number(pid), procDir }), 0);
  } catch {
    return 0;
  }
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
