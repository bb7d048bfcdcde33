import { contentKey, digestOf } from '../artifacts/content-key.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { Settings } from '../core/settings.js';

/** What a run of one instance does: `select` chooses a candidate, `matrix` only executes the tests. */
export type InstanceRunKind = 'select' | 'matrix';

/** What a run does: that of one instance, or `bench`, many of them. */
export type RunKind = InstanceRunKind | 'bench';

/** Run id: the same inputs and settings give the same run on every machine. Twelve hexadecimal digits. */
export function runIdOf({
  kind,
  instance,
  settings,
}: {
  kind: InstanceRunKind;
  instance: ArtifactRef;
  settings: Settings;
}): string {
  return contentKey({ kind, instance: instance.digest, settings }).slice(0, 12);
}

/** Run id of a benchmark: that of its plan. What it may spend and its width are no part of it. */
export const benchmarkRunIdOf = (plan: ArtifactRef): string =>
  contentKey({ kind: 'bench', plan: plan.digest }).slice(0, 12);

/** Workflow id of a run. */
export const workflowIdOf = ({ kind, runId }: { kind: RunKind; runId: string }): string => `testgrad/${kind}/${runId}`;

/** Kind and run id of one of our workflow ids, or null for another workflow; `item` is one method on one instance of a benchmark. */
export function parseWorkflowId(workflowId: string): { kind: RunKind | 'item'; runId: string } | null {
  const found = /^testgrad\/(select|matrix|bench|item)\/([0-9a-f]{12})$/.exec(workflowId);
  return found === null ? null : { kind: found[1] as RunKind | 'item', runId: found[2] ?? '' };
}

/**
 * Queue of the local server's workers for a model setting: workers with other keys, endpoints, recordings or prices
 * must not take the calls of this one. The key enters as a digest of a digest and cannot be read back.
 */
export function localTaskQueue(env: NodeJS.ProcessEnv): string {
  const setting = {
    baseUrl: env.OPENAI_BASE_URL ?? '',
    key: digestOf(env.OPENAI_API_KEY ?? ''),
    record: env.TESTGRAD_RECORD ?? '',
    replay: env.TESTGRAD_REPLAY ?? '',
    price: env.TESTGRAD_PRICE ?? '',
  };
  return `testgrad-${contentKey(setting).slice(0, 8)}`;
}
