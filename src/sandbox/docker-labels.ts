import { randomUUID } from 'node:crypto';
import { encodeLabel } from './owner.js';
import type { SandboxOwner } from './types.js';

/** Labels of our containers and images; what carries none of them is never touched. */
export const LABELS = {
  /** Owner of a container, as {@link encodeLabel} writes it. */
  owner: 'testgrad.owner',
  run: 'testgrad.run',
  activity: 'testgrad.activity',
  /** Time after which nobody waits for a container any more, in milliseconds since 1970. */
  deadline: 'testgrad.deadline',
  /** Key of an image that holds a candidate's tree. */
  snapshot: 'testgrad.snapshot',
} as const;

/** How long after its limit a container may still be cleared away by its owner. */
const CLEARING_MS = 10 * 60_000;

/** Labels of a container that its owner needs for `lifetimeMs` at most. */
export function containerLabels({
  owner,
  lifetimeMs,
}: {
  owner: SandboxOwner;
  lifetimeMs: number;
}): Readonly<Record<string, string>> {
  return {
    [LABELS.owner]: encodeLabel({ owner, execution: randomUUID() }),
    [LABELS.run]: owner.runId,
    [LABELS.activity]: owner.activityId,
    [LABELS.deadline]: String(Math.ceil(Date.now() + lifetimeMs + CLEARING_MS)),
  };
}

/**
 * Labels of an image that is made of a container: those of the container say nothing about it, and would pass on to
 * whatever anyone starts from the image. They cannot be taken away, hence empty.
 */
export function imageLabels({ snapshot }: { snapshot: string }): Readonly<Record<string, string>> {
  const { owner, run, activity, deadline } = LABELS;
  return { [owner]: '', [run]: '', [activity]: '', [deadline]: '', [LABELS.snapshot]: snapshot };
}

/** Name of a container: for people, safe whatever the run is called, never taken already. */
export function containerName({ runId }: { runId: string }): string {
  const safe = runId.replaceAll(/[^a-zA-Z0-9_.-]+/g, '-').slice(0, 40);
  return `testgrad-${safe}-${randomUUID().slice(0, 13)}`;
}
