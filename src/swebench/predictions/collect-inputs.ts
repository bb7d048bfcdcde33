import type { Dataset } from '../datasets/dataset.js';
import type { CandidateSlot } from './agent-slots.js';
import { closeIds } from './close-id.js';
import { type CollectedSource, collectSource, type KeepPatch } from './collect-source.js';
import type { InputReport } from './input-report.js';
import type { PredictionSource } from './prediction.js';

/** The candidates of a benchmark. What is known about their being right is not among them. */
export interface CollectedInputs {
  /** Names of agents; their order defines N. */
  readonly agents: readonly string[];
  /** The chosen instances in the order of the dataset. */
  readonly instances: readonly InstanceCandidates[];
  readonly report: InputReport;
}

/** The candidates of one instance. */
export interface InstanceCandidates {
  readonly instanceId: string;
  /** One an agent, in the order of agents. */
  readonly slots: readonly CandidateSlot[];
}

/**
 * Reads all sources and tells what there is before anything runs. Sources are read one after the other and patches are
 * kept as they come; memory holds ids and references.
 *
 * `chosen` are the instances to run, all of the dataset by default. Throws as {@link collectSource}.
 */
export async function collectInputs({
  sources,
  dataset,
  chosen = dataset.ids,
  keepPatch,
}: {
  sources: readonly PredictionSource[];
  dataset: Dataset;
  chosen?: readonly string[];
  keepPatch: KeepPatch;
}): Promise<CollectedInputs> {
  const known = new Set(dataset.ids);
  const closest = closeIds(dataset.ids);
  const collected: CollectedSource[] = [];
  for (const source of sources) {
    collected.push(await collectSource({ source, known, chosen, datasetName: dataset.name, closest, keepPatch }));
  }
  const agents = collected.flatMap((source) => source.agents);
  const instances = chosen.map((instanceId) => ({
    instanceId,
    slots: agents.map(({ slots }) => slots.slot(instanceId)),
  }));
  return {
    agents: agents.map(({ agent }) => agent),
    instances,
    report: inputReport({ dataset, collected, instances }),
  };
}

function inputReport({
  dataset,
  collected,
  instances,
}: {
  dataset: Dataset;
  collected: readonly CollectedSource[];
  instances: readonly InstanceCandidates[];
}): InputReport {
  const patchesOf = ({ slots }: InstanceCandidates) => slots.filter((slot) => slot.kind === 'patch');
  const none = instances.filter((instance) => patchesOf(instance).length === 0);
  const complete = instances.filter((instance) => patchesOf(instance).length === instance.slots.length);
  const identical = instances.filter((instance) => {
    const digests = patchesOf(instance).map(({ patch }) => patch.digest);
    return digests.length > 1 && new Set(digests).size === 1;
  });
  const sources = collected.map(({ report }) => report);
  return {
    schema: 'testgrad.input-report/1',
    dataset: {
      name: dataset.name,
      split: dataset.split,
      revision: dataset.revision,
      instances: dataset.ids.length,
      gradable: dataset.gradable,
      problems: dataset.problems,
    },
    sources,
    instances: {
      chosen: instances.length,
      complete: complete.length,
      partial: instances.length - complete.length - none.length,
      none: none.map(({ instanceId }) => instanceId),
      identical: identical.length,
    },
    clean: dataset.problems.length === 0 && sources.every(isClean),
  };
}

function isClean({ agents, malformed, otherFields, unknown }: InputReport['sources'][number]): boolean {
  const own = malformed.length + otherFields.length + unknown.length;
  const theirs = agents.map(
    ({ missing, empty, duplicates, fenced, prose, noDiff }) =>
      missing.length + empty.length + duplicates.length + fenced.length + prose.length + noDiff.length,
  );
  return own === 0 && theirs.every((count) => count === 0);
}
