import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import { bubblewrapArguments, dataFiles, homeOf } from './bubblewrap-arguments.js';
import { findExecutable } from './executable.js';
import type { Launch, LaunchFailure } from './launch.js';
import {
  hasEnded,
  killQuietly,
  launchProgram,
  limitArguments,
  prepareDirectories,
  resourceLimiter,
  signalName,
  waitUntil,
} from './launch.js';
import { OWNER_VARIABLE } from './owner.js';
import { isWithin } from './paths.js';
import { startTimeOf, tasksInNamespace } from './proc.js';
import { boundProcesses, hurry } from './process-limit.js';
import type { SandboxExit, SandboxRequest } from './types.js';

const STATUS_FD = 3;
const BLOCK_FD = 4;
const FIRST_DATA_FD = 5;
/** How long the kernel may take to clear a killed process namespace. */
const CLEAR_MS = 30_000;

/** Starts a request inside bubblewrap, or says why that is not possible. */
export async function launchInBubblewrap({
  request,
  label,
}: {
  request: SandboxRequest;
  label: string;
}): Promise<Launch | LaunchFailure> {
  const bwrap = findExecutable({ name: 'bwrap' });
  if (bwrap === null) return { broken: 'bwrap is not installed' };
  const limiter = resourceLimiter();
  if (limiter === null) return { broken: 'prlimit (util-linux) is not installed' };
  const version = await bubblewrapVersion(bwrap);
  if (version === null) return { broken: `${bwrap} --version failed` };
  if (isWithin('/usr', request.mountAt)) return { broken: `a repository at ${request.mountAt} cannot be covered` };

  await prepareDirectories(request);
  const home = homeOf(request);
  const files = dataFiles({ home });
  const args = bubblewrapArguments({
    request,
    home,
    unsetVariable: OWNER_VARIABLE,
    statusFd: STATUS_FD,
    blockFd: BLOCK_FD,
    firstDataFd: FIRST_DATA_FD,
    hardened: isHardened(version),
  });
  const child = launchProgram({
    file: limiter,
    args: [...limitArguments(request.limits), '--', bwrap, ...args],
    env: { ...request.env, [OWNER_VARIABLE]: label },
    cwd: request.treeDir,
    extraFds: 2 + files.length,
    detached: false,
  });
  for (const [index, { text }] of files.entries()) send({ stream: child.stdio[FIRST_DATA_FD + index], text });
  const release = () => send({ stream: child.stdio[BLOCK_FD], text: 'go' });
  const onInit = (initPid: number): void => {
    void boundProcesses({ limiter, initPid, maxProcesses: request.limits.maxProcesses }).finally(release);
  };
  return supervised({ child, status: readStatus({ stream: child.stdio[STATUS_FD], onInit }) });
}

const versions = new Map<string, Promise<string | null>>();

/** Version of a `bwrap`, `0.8.0`; null when it does not run. Asked once for each path. */
export function bubblewrapVersion(bwrap: string): Promise<string | null> {
  const known = versions.get(bwrap) ?? askVersion(bwrap);
  versions.set(bwrap, known);
  return known;
}

async function askVersion(bwrap: string): Promise<string | null> {
  const { stdout, failed } = await execa(bwrap, ['--version'], { reject: false, stdin: 'ignore', timeout: 10_000 });
  return failed ? null : (/\d+(\.\d+)+/.exec(stdout)?.[0] ?? null);
}

/** True from 0.8 on, which brought `--disable-userns` and `--size`. */
function isHardened(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= 8;
}

/** What `bwrap` reports while it runs. */
interface Status {
  /** First process of the namespace, by its number on the host. */
  initPid: number | null;
  initStartTime: string | null;
  /** Written only when the program itself was started. */
  exitCode: number | null;
}

function supervised({ child, status }: { child: ChildProcess; status: Status }): Launch {
  const initRuns = (): boolean => {
    const { initPid, initStartTime } = status;
    return initPid !== null && initStartTime !== null && startTimeOf(initPid) === initStartTime;
  };

  const kill = async (): Promise<boolean> => {
    // Killed before its first process is known, bwrap could leave that one behind.
    await waitUntil({ done: () => status.initPid !== null || hasEnded(child), withinMs: 1_000 });
    // The kernel ends a namespace with its first process, and no fork gets past that.
    if (status.initPid !== null && initRuns()) {
      hurry(status.initPid);
      killQuietly(status.initPid);
    }
    await waitUntil({ done: () => hasEnded(child), withinMs: 1_000 });
    if (!hasEnded(child)) child.kill('SIGKILL');
    return waitUntil({ done: () => hasEnded(child) && !initRuns(), withinMs: CLEAR_MS });
  };

  return {
    child,
    pollMs: 20,
    tasks: (enough) => (status.initPid === null ? 0 : tasksInNamespace({ initPid: status.initPid, enough }) - 1),
    kill,
    sweep: () => waitUntil({ done: () => !initRuns(), withinMs: CLEAR_MS }),
    exitOf: ({ code, signal, stderr }) => {
      if (status.exitCode !== null) return exitOfProgram(status.exitCode);
      const reason = stderr.trim() || `bwrap ended with ${signal ?? `exit code ${code}`}`;
      return { kind: 'broken', reason: reason.slice(0, 2_000) };
    },
  };
}

/** bwrap reports a signalled program as a shell does: 128 and the signal's number. */
function exitOfProgram(exitCode: number): SandboxExit {
  const signal = signalName(exitCode - 128);
  return signal === null ? { kind: 'exited', code: exitCode } : { kind: 'signalled', signal };
}

type Pipe = Readable | Writable | null | undefined;

/** Fills in the returned status as bwrap writes it, one JSON document a line. */
function readStatus({ stream, onInit }: { stream: Pipe; onInit: (initPid: number) => void }): Status {
  const status: Status = { initPid: null, initStartTime: null, exitCode: null };
  if (stream === null || stream === undefined || !('setEncoding' in stream)) return status;
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const initPid = numberAfter({ line, key: 'child-pid' });
      const exitCode = numberAfter({ line, key: 'exit-code' });
      if (initPid !== null) {
        Object.assign(status, { initPid, initStartTime: startTimeOf(initPid) });
        onInit(initPid);
      }
      if (exitCode !== null) status.exitCode = exitCode;
    }
  });
  return status;
}

function numberAfter({ line, key }: { line: string; key: string }): number | null {
  const found = new RegExp(`"${key}": (\\d+)`).exec(line)?.[1];
  return found === undefined ? null : Number(found);
}

function send({ stream, text }: { stream: Pipe; text: string }): void {
  if (stream === null || stream === undefined || !('write' in stream)) return;
  // bwrap may end before it has read its files; its exit tells why.
  stream.on('error', () => undefined);
  stream.end(text);
}
