import { createHash } from 'node:crypto';
import { readlinkSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { startTimeOf } from './proc.js';
import type { SandboxOwner } from './types.js';

/** Environment variable that carries the label; taken away again inside a bubblewrap sandbox. */
export const OWNER_VARIABLE = 'TESTGRAD_SANDBOX_OWNER';

/** A label as read back from a process: its owner, and which execution it belongs to. */
export interface SandboxLabel extends SandboxOwner {
  /** Process namespace in which `pid` counts: containers may share a host's name. */
  readonly pidNamespace: string;
  /** Unique for each execution. */
  readonly execution: string;
}

/** Process namespace of this process, `pid:[4026531836]`; empty where the system has none. */
function thisPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** What a label says of a state folder: a digest, the same by whatever path the folder is reached. */
export function homeDigest(home: string): string {
  return createHash('sha256').update(realPath(home)).digest('hex').slice(0, 16);
}

/** This process as the owner of sandboxes that an activity of a run starts; `home` is its state folder, if it has one. */
export function ownerOfThisProcess({
  runId,
  activityId,
  home,
}: {
  runId: string;
  activityId: string;
  home?: string;
}): SandboxOwner {
  return {
    runId,
    home: home === undefined ? '' : homeDigest(home),
    activityId,
    host: hostname(),
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? '',
  };
}

/** True when the owner ran on this machine, `host`, in this process namespace, and does not run any more. */
export function ownerIsGone({ label, host = hostname() }: { label: SandboxLabel; host?: string }): boolean {
  const isHere = label.host === host && label.pidNamespace === thisPidNamespace();
  return isHere && startTimeOf(label.pid) !== label.startTime;
}

/** Label of an execution as a value of {@link OWNER_VARIABLE}. */
export function encodeLabel({ owner, execution }: { owner: SandboxOwner; execution: string }): string {
  const { runId, home, activityId, host, pid, startTime } = owner;
  const owning = { host, pid, startTime, pidNamespace: thisPidNamespace() };
  return JSON.stringify({ runId, home, activityId, ...owning, execution } satisfies SandboxLabel);
}

/** Label from a value of {@link OWNER_VARIABLE}, or null when it is not one of ours. */
export function decodeLabel(text: string): SandboxLabel | null {
  try {
    const value: unknown = JSON.parse(text);
    return isLabel(value) ? value : null;
  } catch {
    return null;
  }
}

function isLabel(value: unknown): value is SandboxLabel {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = ['runId', 'home', 'activityId', 'host', 'startTime', 'pidNamespace', 'execution'];
  return texts.every((name) => typeof fields[name] === 'string') && Number.isInteger(fields.pid);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not made yet: then nothing runs for it.
    return resolve(path);
  }
}
