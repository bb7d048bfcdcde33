import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
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
export function thisPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** This process as the owner of sandboxes that an activity of a run starts. */
export function ownerOfThisProcess({ runId, activityId }: { runId: string; activityId: string }): SandboxOwner {
  return { runId, activityId, host: hostname(), pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
}

/** Label of an execution as a value of {@link OWNER_VARIABLE}. */
export function encodeLabel({ owner, execution }: { owner: SandboxOwner; execution: string }): string {
  const { runId, activityId, host, pid, startTime } = owner;
  const label: SandboxLabel = { runId, activityId, host, pid, startTime, pidNamespace: thisPidNamespace(), execution };
  return JSON.stringify(label);
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
  const texts = ['runId', 'activityId', 'host', 'startTime', 'pidNamespace', 'execution'];
  return texts.every((name) => typeof fields[name] === 'string') && Number.isInteger(fields.pid);
}
