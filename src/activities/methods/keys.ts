import { contentKey } from '../../artifacts/content-key.js';
import { getText } from '../../artifacts/values.js';
import type { UsableCandidate } from '../../core/candidate.js';
import type { InstanceSpec } from '../../core/instance.js';
import { scriptKeys as keysOfScripts, patchKey } from '../../methods/agentless/keys.js';
import type { ChangedSource } from '../../methods/agentless/normaliser.js';
import { cleanedPatch } from '../../methods/trae/cleaned-patch.js';
import { applyCandidate } from '../../repository/apply-candidate.js';
import { readTreeFile } from '../../repository/tree-files.js';
import { getDocument, getInstance, type Prepared, usableCandidate } from '../documents.js';
import type { CandidateKeyInput, MethodActivities, ScriptKeysInput } from '../method-contract.js';
import { openRepository } from '../open-repository.js';
import type { Services } from '../services.js';
import { givenPatches } from './ask.js';
import { normaliserOn } from './normalise.js';

/** A candidate's key as a digest; empty stays empty. */
export async function candidateKey({
  services,
  input,
}: {
  services: Services;
  input: CandidateKeyInput;
}): ReturnType<MethodActivities['candidateKey']> {
  const { store } = services;
  if (input.kind === 'cleaned') {
    const [patch = ''] = await givenPatches({ services, input, ids: [input.candidate] });
    return { key: digestOf(cleanedPatch(patch)), normaliser: 'text' };
  }
  const [instance, prepared] = await Promise.all([
    getInstance({ store, ref: input.instance }),
    getDocument<Prepared>({ store, ref: input.prepared }),
  ]);
  const candidate = usableCandidate({ prepared, id: input.candidate });
  const files = await changedSources({ services, instance, candidate });
  const { key, normaliser } = await patchKey({ files, run: normaliserOn({ services, instance, runId: input.runId }) });
  return { key: digestOf(key), normaliser };
}

/** Keys of scripts as digests. */
export async function scriptKeys({
  services,
  input,
}: {
  services: Services;
  input: ScriptKeysInput;
}): ReturnType<MethodActivities['scriptKeys']> {
  const { store } = services;
  const instance = await getInstance({ store, ref: input.instance });
  const scripts = await Promise.all(input.scripts.map((ref) => getText({ store, ref })));
  const { keys } = await keysOfScripts({ scripts, run: normaliserOn({ services, instance, runId: input.runId }) });
  return keys.map(digestOf);
}

const digestOf = (key: string): string => (key === '' ? '' : contentKey({ key }).slice(0, 16));

/** The files that a candidate changes, whole, before and after. */
async function changedSources({
  services,
  instance,
  candidate,
}: {
  services: Services;
  instance: InstanceSpec;
  candidate: UsableCandidate;
}): Promise<ChangedSource[]> {
  const scratch = await openRepository({ services, instance });
  const baseTreeId = instance.repository.treeId;
  // A host that has not seen the candidate yet has no tree of it.
  await applyCandidate({ scratch, baseTreeId, patch: await services.store.get(candidate.sourcePatch) });
  const textOf = async (treeId: string, path: string): Promise<string> =>
    new TextDecoder().decode((await readTreeFile({ scratch, treeId, path })) ?? new Uint8Array());
  return Promise.all(
    candidate.changedFiles.map(async (path) => ({
      path,
      old: await textOf(baseTreeId, path),
      new: await textOf(candidate.treeId, path),
    })),
  );
}
