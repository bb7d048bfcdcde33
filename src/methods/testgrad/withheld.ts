import type { Parts } from '../../core/ablation.js';
import type { SuiteEdit } from '../../core/suite.js';

/** Why an update is refused that does what the method, without one of its parts, does not do; empty when it does not. */
export function withheld({ edit, parts }: { edit: SuiteEdit; parts: Parts }): string[] {
  const updates = edit.operations.flatMap((each) => (each.op === 'update' ? [`${each.file}::${each.test}`] : []));
  if (parts.update || updates.length === 0) return [];
  return [`Tests cannot be updated here, only created and deleted: ${updates.slice(0, 5).join(', ')}.`];
}
