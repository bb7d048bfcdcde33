import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { findExecutable } from './executable.js';
import { isWithin } from './paths.js';
import type { SandboxExit, SandboxLimits, SandboxRequest } from './types.js';

/** A started execution, as the supervisor sees it. */
export interface Launch {
  readonly child: ChildProcess;
  /** Processes and threads now; the count may stop at `enough`. */
  readonly tasks: (enough: number) => number;
  /** How often `tasks` may be asked. */
  readonly pollMs: number;
  /** Ends everything, `atOnce` without a chance to end by itself; false when something could not be ended in time. */
  readonly kill: (how: { atOnce: boolean }) => Promise<boolean>;
  /** After the program's own end: ends what it left behind; false as for `kill`. */
  readonly sweep: () => Promise<boolean>;
  /** What the end of `child` means. */
  readonly exitOf: (end: { code: number | null; signal: string | null; stderr: string }) => SandboxExit;
}

/** Why nothing was started. */
export interface LaunchFailure {
  readonly broken: string;
}

/** No file may grow beyond this: a test that writes without end must not fill the host's disk. */
const FILE_BYTES = 4 * 1024 ** 3;

/** `prlimit` of this host, or null. */
export const resourceLimiter = (): string | null => findExecutable({ name: 'prlimit' });

/** Arguments of `prlimit` for the limits that each process has by itself. */
export const limitArguments = ({ memoryBytes }: SandboxLimits): readonly string[] => [
  `--as=${memoryBytes}`,
  `--fsize=${FILE_BYTES}`,
  '--core=0',
];

/**
 * Starts a program without a shell, its outputs as pipes and `extraFds` pipes more from descriptor 3 on.
 * It inherits nothing of this process's environment. A failure to start comes as the child's `error` event.
 */
export function launchProgram({
  file,
  args,
  env,
  cwd,
  extraFds,
  detached,
}: {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  extraFds: number;
  detached: boolean;
}): ChildProcess {
  const extra = Array.from({ length: extraFds }, () => 'pipe' as const);
  // Raw pipes on further descriptors and the exact moment of the exit are what this needs, and not more.
  return spawn(file, [...args], { cwd, env: { ...env }, detached, stdio: ['ignore', 'pipe', 'pipe', ...extra] });
}

/** Makes the directories that HOME and TMPDIR name, as far as they lie in the scratch directory. */
export async function prepareDirectories({ env, scratchDir }: SandboxRequest): Promise<void> {
  const wanted = [env.HOME, env.TMPDIR].filter((dir) => dir !== undefined && isWithin(dir, scratchDir));
  for (const dir of wanted) if (dir !== undefined) await mkdir(dir, { recursive: true });
}

/** Name of a signal by its number, or null. */
export function signalName(number: number): string | null {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? null;
}

/** Sends a signal, ignoring that the process (or the group, for a negative number) may be gone already. */
export function killQuietly(pid: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or not ours any more: either way there is nothing left to kill.
  }
}

/** Asks every 20 ms until `done` holds; false when it does not within `withinMs`. */
export async function waitUntil({ done, withinMs }: { done: () => boolean; withinMs: number }): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!done()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** True when the child has ended and node has noticed, or when it never started. */
export const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
