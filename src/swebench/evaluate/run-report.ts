import type { InfraFailure } from '../grading/infra-failure.js';
import type { HarnessRules } from '../logs/log-parser.js';
import { modelFolder } from './log-folder.js';

/** What became of one instance of a dataset in a run. */
export type InstanceState =
  /** No prediction for it. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'empty-patch' }
  | { readonly kind: 'resolved' }
  | { readonly kind: 'unresolved'; readonly failure: InfraFailure | null }
  /** No report: the patch did not apply, the tests ran out of time, or something broke. */
  | { readonly kind: 'error'; readonly failure: InfraFailure | null };

/** `schema_version` 2 of the harness's report on a run; v5 has more fields. */
export type RunReport = Readonly<Record<string, number | readonly string[] | Readonly<Record<string, string>>>>;

/** The report on a run in the official layout, keys in the official order (`make_run_report`). */
export function runReport({
  states,
  submittedIds,
  rules,
}: {
  /** By instance id, for all instances of the dataset or of those that were chosen. */
  states: ReadonlyMap<string, InstanceState>;
  /** All ids with a prediction, also those that were not chosen. */
  submittedIds: readonly string[];
  rules: HarnessRules;
}): RunReport {
  const ids = (...kinds: readonly InstanceState['kind'][]): string[] =>
    byCodePoint([...states].filter(([, state]) => kinds.includes(state.kind)).map(([id]) => id));
  const failures = [...states].flatMap(([id, state]) =>
    'failure' in state && state.failure !== null ? [{ id, ...state.failure }] : [],
  );
  const failed = (tier: InfraFailure['tier']): string[] =>
    byCodePoint(failures.filter((failure) => failure.tier === tier).map(({ id }) => id));
  const [completed, resolved, unresolved] = [ids('resolved', 'unresolved'), ids('resolved'), ids('unresolved')];
  const [empty, errors, incomplete] = [ids('empty-patch'), ids('error'), ids('incomplete')];
  const [infra, ambiguous] = [failed('environment'), failed('ambiguous')];
  const isV5 = rules === 'v5';
  const reasons = byCodePoint(failures.map(({ id }) => id)).map((id) => [
    id,
    failures.find((failure) => failure.id === id)?.reason ?? '',
  ]);
  return {
    total_instances: states.size,
    submitted_instances: submittedIds.length,
    completed_instances: completed.length,
    resolved_instances: resolved.length,
    unresolved_instances: unresolved.length,
    ...(isV5 ? { infra_failure_instances: infra.length, ambiguous_failure_instances: ambiguous.length } : {}),
    empty_patch_instances: empty.length,
    error_instances: errors.length,
    completed_ids: completed,
    incomplete_ids: incomplete,
    empty_patch_ids: empty,
    submitted_ids: byCodePoint(submittedIds),
    resolved_ids: resolved,
    unresolved_ids: unresolved,
    ...(isV5
      ? { infra_failure_ids: infra, ambiguous_failure_ids: ambiguous, failure_reasons: Object.fromEntries(reasons) }
      : {}),
    error_ids: errors,
    schema_version: 2,
    // 4.1 writes what Docker may have left only where it has no Docker, 5.0 only where it has one.
    ...(isV5 ? {} : { unstopped_instances: 0, unstopped_containers: [], unremoved_images: [] }),
  };
}

/** Name of the report's file: model and run. */
export const runReportName = ({ model, runId }: { model: string; runId: string }): string =>
  `${modelFolder(model)}.${runId}.json`;

/** In Python's order of text. */
function byCodePoint(ids: readonly string[]): string[] {
  return ids.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}
