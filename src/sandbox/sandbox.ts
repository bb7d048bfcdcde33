import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { boundedOutput } from './bounded-output.js';
import { launchInBubblewrap } from './bubblewrap.js';
import type { Launch } from './launch.js';
import { encodeLabel } from './owner.js';
import { launchPlain } from './plain.js';
import type { SandboxExit, SandboxKind, SandboxRequest, SandboxResult } from './types.js';

export type { SandboxKind, SandboxOwner, SandboxRequest, SandboxResult } from './types.js';

/** How long output may still arrive after everything has ended. */
const DRAIN_MS = 2_000;

/** Where the tree appears to the program: its own place with bubblewrap and Docker, the directory itself without. */
export function rootInside({
  kind,
  treeDir,
  mountAt,
}: {
  kind: SandboxKind;
  treeDir: string;
  mountAt: string;
}): string {
  return kind === 'none' ? treeDir : mountAt;
}

/**
 * Runs a program on a candidate's tree and returns when nothing of it runs any more.
 *
 * Whatever the program does is a result and never an exception; `exit.kind` `broken` says that our side failed.
 * `cancelled` follows `signal`. The program's working directory is the root inside.
 */
export async function runInSandbox(request: SandboxRequest): Promise<SandboxResult> {
  const startedAt = performance.now();
  const unstarted = (exit: SandboxExit): SandboxResult => ({
    exit,
    stdout: '',
    stderr: '',
    truncated: false,
    durationMs: performance.now() - startedAt,
  });
  if (request.signal?.aborted) return unstarted({ kind: 'cancelled' });
  // Loaded only where it is used: the client takes longer to load than most sandboxes take to start.
  if (request.kind === 'docker') return (await import('./docker.js')).runInDocker(request);
  const label = encodeLabel({ owner: request.owner, execution: randomUUID() });
  try {
    const launch = await (request.kind === 'bubblewrap' ? launchInBubblewrap : launchPlain)({ request, label });
    if ('broken' in launch) return unstarted({ kind: 'broken', reason: launch.broken });
    return await supervise({ request, launch, startedAt });
  } catch (error) {
    return unstarted({ kind: 'broken', reason: String(error) });
  }
}

async function supervise({
  request,
  launch,
  startedAt,
}: {
  request: SandboxRequest;
  launch: Launch;
  startedAt: number;
}): Promise<SandboxResult> {
  const { limits, signal } = request;
  const { child } = launch;
  const stdout = boundedOutput({ maxBytes: limits.maxOutputBytes });
  const stderr = boundedOutput({ maxBytes: limits.maxOutputBytes });
  child.stdout?.on('data', stdout.write);
  child.stderr?.on('data', stderr.write);
  const ended = endOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const stopper = stopOnce(launch.kill);
  const onAbort = (): void => stopper.stop({ kind: 'cancelled' });
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have been aborted while the launch was prepared.
  if (signal?.aborted) onAbort();
  const timer = setTimeout(() => stopper.stop({ kind: 'timeout' }), limits.timeoutMs);
  const watch = setInterval(() => {
    if (launch.tasks(limits.maxProcesses + 1) <= limits.maxProcesses) return;
    stopper.stop({ kind: 'overlimit', limit: 'processes' });
  }, launch.pollMs);

  const end = await Promise.race([ended, stopper.failed]);
  clearTimeout(timer);
  clearInterval(watch);
  signal?.removeEventListener('abort', onAbort);
  const cleared = await (stopper.stopping() ?? launch.sweep());
  if (end.kind === 'ended') await Promise.race([closed, delay(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();

  const result = { stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated() || stderr.truncated() };
  const exitOf = (): SandboxExit => {
    if (end.kind === 'not-started') return { kind: 'broken', reason: end.reason };
    if (end.kind === 'unstoppable' || !cleared) return { kind: 'broken', reason: 'its processes could not be killed' };
    return stopper.exit() ?? launch.exitOf({ ...end, stderr: result.stderr });
  };
  return { exit: exitOf(), ...result, durationMs: performance.now() - startedAt };
}

type End =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'unstoppable' };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ kind: 'ended', code, signal }));
    child.once('error', (error) => resolve({ kind: 'not-started', reason: error.message }));
  });
}

/** The first reason to stop wins; later ones change nothing. */
function stopOnce(kill: Launch['kill']) {
  let exit: SandboxExit | null = null;
  let stopping: Promise<boolean> | null = null;
  let fail: (end: End) => void = () => undefined;
  const failed = new Promise<End>((resolve) => {
    fail = resolve;
  });
  return {
    stop: (reason: SandboxExit): void => {
      if (exit !== null) return;
      exit = reason;
      stopping = kill({ atOnce: reason.kind === 'overlimit' });
      void stopping.then((done) => {
        if (!done) fail({ kind: 'unstoppable' });
      });
    },
    exit: () => exit,
    stopping: () => stopping,
    failed,
  };
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
