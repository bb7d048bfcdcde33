import { resolve } from 'node:path';
import { findExecutable } from './executable.js';
import type { Launch, LaunchFailure } from './launch.js';
import {
  hasEnded,
  killQuietly,
  launchProgram,
  limitArguments,
  prepareDirectories,
  resourceLimiter,
  waitUntil,
} from './launch.js';
import { OWNER_VARIABLE } from './owner.js';
import { allPids, environmentOf, statOf, threadsOf } from './proc.js';
import type { SandboxRequest } from './types.js';

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;
/** How long killed processes may take to disappear. */
const CLEAR_MS = 10_000;

/**
 * Starts a request as a plain subprocess in its tree: no isolation, the same limits as far as the host has them
 * (`prlimit`; process count and stray children need Linux's `/proc`).
 */
export async function launchPlain({
  request,
  label,
}: {
  request: SandboxRequest;
  label: string;
}): Promise<Launch | LaunchFailure> {
  const [program, ...args] = request.argv;
  if (program === undefined) return { broken: 'no program to start' };
  const file = program.includes('/') ? resolve(request.treeDir, program) : program;
  const path = findExecutable({ name: file, searchPath: request.env.PATH });
  if (path === null) return { broken: `${program} cannot be executed` };
  await prepareDirectories(request);

  const limiter = resourceLimiter();
  const child = launchProgram({
    file: limiter ?? path,
    args: limiter === null ? args : [...limitArguments(request.limits), '--', path, ...args],
    env: { ...request.env, [OWNER_VARIABLE]: label },
    cwd: request.treeDir,
    extraFds: 0,
    detached: true,
  });
  const group = child.pid;
  const members = (enough: number): readonly number[] =>
    group === undefined ? [] : membersOf({ group, label, enough });
  const killAll = (): boolean => {
    // One call reaches all of a group at once, a fork bomb included; the label reaches those that left the group.
    if (group !== undefined) killQuietly(-group);
    const found = members(Number.POSITIVE_INFINITY);
    for (const pid of found) killQuietly(pid);
    return found.length === 0;
  };
  const sweep = (): Promise<boolean> => waitUntil({ done: killAll, withinMs: CLEAR_MS });

  return {
    child,
    pollMs: 100,
    tasks: (enough) => members(enough).reduce((sum, pid) => sum + threadsOf({ pid }), 0),
    kill: async ({ atOnce }) => {
      if (group !== undefined && !atOnce) {
        killQuietly(-group, 'SIGTERM');
        await waitUntil({ done: () => hasEnded(child), withinMs: GRACE_MS });
      }
      return (await sweep()) && waitUntil({ done: () => hasEnded(child), withinMs: CLEAR_MS });
    },
    sweep,
    exitOf: ({ code, signal }) =>
      signal === null ? { kind: 'exited', code: code ?? 1 } : { kind: 'signalled', signal },
  };
}

/**
 * Running processes of a process group, and those that carry the label wherever they went, the newest first.
 * The walk ends at `enough` of them: among the thousands of a fork bomb, reading on would block this process.
 */
function membersOf({ group, label, enough }: { group: number; label: string; enough: number }): readonly number[] {
  const members: number[] = [];
  for (const pid of allPids().toSorted((left, right) => right - left)) {
    if (members.length > enough) break;
    const stat = statOf(pid);
    if (stat === null || stat.state === 'Z') continue;
    const isMember = stat.processGroup === group || environmentOf({ pid, name: OWNER_VARIABLE }) === label;
    if (isMember) members.push(pid);
  }
  return members;
}
