import { BASE } from '../core/candidate.js';
import type { Suite } from '../core/suite.js';
import { openColumn } from './column.js';
import type { ApplyEditInput } from './contract.js';
import { usableCandidate } from './documents.js';
import { executeFile } from './execute-file.js';
import { activityOwner, activitySignal } from './owner.js';
import type { Services } from './services.js';
import type { LoadedSubject } from './turn-subject.js';

/**
 * Whether each changed test file can be collected on at least one column, the base first: an update whose tests can run
 * nowhere is refused while the model can still mend it. An interpreter too old for the syntax shows here as well.
 */
export async function collects({
  services,
  input,
  subject,
  suite,
  files,
}: {
  services: Services;
  input: ApplyEditInput;
  subject: LoadedSubject;
  suite: Suite;
  files: readonly string[];
}): Promise<{ readonly kind: 'collected' } | { readonly kind: 'refused'; readonly reason: string }> {
  const { instance, prepared } = subject;
  const signal = activitySignal(services);
  const owner = activityOwner({ runId: input.runId });
  const columns = [...input.columns].sort((a, b) => Number(b.id === BASE) - Number(a.id === BASE));
  for (const file of files) {
    const reasons: string[] = [];
    let collected = false;
    for (const column of columns) {
      const candidate = column.id === BASE ? null : usableCandidate({ prepared, id: column.id });
      const place = await openColumn({ services, instance, column, candidate, owner, signal });
      if (place.kind === 'not-set-up') {
        reasons.push(place.reason);
        continue;
      }
      const { outcome } = await executeFile({
        services,
        instance,
        suite,
        treeId: column.treeId,
        tree: place.tree,
        file,
        rerun: 0,
        mode: 'collect',
        probeModules: [],
        owner,
        signal,
      });
      collected = outcome.state === 'ran' || outcome.state === 'empty';
      if (collected) break;
      reasons.push(outcome.reason);
    }
    if (!collected) {
      return {
        kind: 'refused',
        reason: `${file} cannot be collected on any candidate with this update: ${(reasons[0] ?? '').slice(0, 1500)}`,
      };
    }
  }
  return { kind: 'collected' };
}
