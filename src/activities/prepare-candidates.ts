import type { CandidateInput, PreparedCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import { assignLabels } from '../core/labels.js';
import { applyCandidate } from '../repository/apply-candidate.js';
import type { Scratch } from '../repository/scratch.js';
import type { Services } from './services.js';

/**
 * Applies every candidate to the base: normalised, checked with `git apply`, its own test changes set aside, identical
 * trees merged, unusable ones excluded with the reason. Labels follow the seeded order of the usable ones.
 */
export async function prepareCandidates({
  services,
  instance,
  scratch,
  seed,
}: {
  services: Services;
  instance: InstanceSpec;
  scratch: Scratch;
  seed: number;
}): Promise<{ candidates: PreparedCandidate[]; warnings: string[] }> {
  const warnings: string[] = [];
  const applied: PreparedCandidate[] = [];
  for (const candidate of instance.candidates) {
    const one = await prepareOne({ services, instance, scratch, candidate });
    applied.push(one.prepared);
    warnings.push(...one.notes.map((note) => `${candidate.agent}: ${note}`));
  }
  const ids = applied.filter((each) => each.kind === 'usable').map(({ id }) => id);
  const labels = assignLabels({ ids, seed });
  const firstOfTree = new Map<string, string>();
  const candidates = applied.map((each): PreparedCandidate => {
    if (each.kind === 'excluded') return each;
    const first = firstOfTree.get(each.treeId) ?? each.id;
    firstOfTree.set(each.treeId, first);
    return { ...each, sameAs: first, label: labels[each.id] ?? each.id };
  });
  return { candidates, warnings };
}

async function prepareOne({
  services,
  instance,
  scratch,
  candidate,
}: {
  services: Services;
  instance: InstanceSpec;
  scratch: Scratch;
  candidate: CandidateInput;
}): Promise<{ prepared: PreparedCandidate; notes: readonly string[] }> {
  const { id, agent } = candidate;
  const patch = await services.store.get(candidate.patch);
  const result = await applyCandidate({ scratch, baseTreeId: instance.repository.treeId, patch });
  if (result.kind === 'excluded') {
    return { prepared: { kind: 'excluded', id, agent, reason: result.reason, detail: result.detail }, notes: [] };
  }
  const configuration = result.runnerConfig.map((path) => `changes the runner's configuration in ${path}`);
  return {
    prepared: {
      kind: 'usable',
      id,
      agent,
      label: id,
      treeId: result.treeId,
      sameAs: id,
      sourcePatch: await services.store.put({ bytes: result.sourcePatch, mediaType: 'text/x-diff' }),
      changedFiles: result.changedFiles,
      setAside: result.setAside,
      added: result.added,
      removed: result.removed,
    },
    notes: [...result.notes, ...configuration],
  };
}
