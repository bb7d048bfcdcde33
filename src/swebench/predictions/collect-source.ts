import type { ArtifactRef } from '../../core/artifact.js';
import { InputError } from '../../errors.js';
import { AgentSlots } from './agent-slots.js';
import type { SourceReport } from './input-report.js';
import type { Prediction, PredictionSource, SourceLayout } from './prediction.js';
import { readPredictions } from './read-predictions.js';

/** One source, read: its agents in order, and what was found. */
export interface CollectedSource {
  readonly agents: readonly { readonly agent: string; readonly slots: AgentSlots }[];
  readonly report: SourceReport;
}

/** Keeps the bytes of a patch and says where. */
export type KeepPatch = (bytes: Uint8Array) => Promise<ArtifactRef>;

/**
 * Reads one source. Patches of chosen instances are kept as they are read, so that memory holds ids and references only.
 *
 * Throws TG-I03 and TG-I06 as reading does, TG-I06 for a source without any prediction, TG-I07 when its rows have other
 * fields, TG-I09 when the dataset has none of its instances.
 */
export async function collectSource({
  source,
  known,
  chosen,
  datasetName,
  closest,
  keepPatch,
}: {
  source: PredictionSource;
  /** Ids of the dataset. */
  known: ReadonlySet<string>;
  /** Ids that run, in the order of the dataset. */
  chosen: readonly string[];
  datasetName: string;
  closest: (unknown: string) => string | null;
  keepPatch: KeepPatch;
}): Promise<CollectedSource> {
  const wanted = new Set(chosen);
  const byPosition: AgentSlots[] = [];
  const malformed: { place: string; problem: string }[] = [];
  const otherFields: { place: string; fields: readonly string[] }[] = [];
  const unknown = new Set<string>();
  let layout: SourceLayout | null = null;
  let predictions = 0;
  let notChosen = 0;
  for await (const read of readPredictions(source)) {
    const { item } = read;
    layout ??= read.layout;
    if (item.kind === 'malformed') malformed.push({ place: item.place, problem: item.problem });
    else if (item.kind === 'other-fields') otherFields.push({ place: item.place, fields: item.fields });
    else {
      predictions += 1;
      const slots = agentSlots({ byPosition, item });
      if (!known.has(item.instanceId)) unknown.add(item.instanceId);
      else if (!wanted.has(item.instanceId)) notChosen += 1;
      else slots.add({ instanceId: item.instanceId, slot: await slotOf({ item, keepPatch }), place: item.place });
    }
  }
  refuseUnusable({ source, predictions, malformed, otherFields });
  if (unknown.size === predictions) throw foreign({ source, ids: [...unknown], datasetName });
  const agents = byPosition.map((slots, index) => ({
    agent: byPosition.length === 1 ? source.name : `${source.name}-${index + 1}`,
    slots,
  }));
  return {
    agents,
    report: {
      name: source.name,
      given: source.given,
      layout,
      agents: agents.map(({ agent, slots }) => slots.report({ agent, chosen })),
      malformed,
      otherFields,
      unknown: [...unknown].map((instanceId) => ({ instanceId, closest: closest(instanceId) })),
      notChosen,
    },
  };
}

function agentSlots({ byPosition, item }: { byPosition: AgentSlots[]; item: Prediction }): AgentSlots {
  const position = item.position ?? 0;
  while (byPosition.length <= position) byPosition.push(new AgentSlots());
  return byPosition[position] as AgentSlots;
}

async function slotOf({ item, keepPatch }: { item: Prediction; keepPatch: KeepPatch }) {
  if (item.form === 'empty') return { kind: 'empty' as const };
  return { kind: 'patch' as const, patch: await keepPatch(item.patch), form: item.form };
}

function refuseUnusable({
  source,
  predictions,
  malformed,
  otherFields,
}: {
  source: PredictionSource;
  predictions: number;
  malformed: readonly { place: string; problem: string }[];
  otherFields: readonly { place: string; fields: readonly string[] }[];
}): void {
  if (predictions > 0) return;
  const [other] = otherFields;
  const [bad] = malformed;
  if (other !== undefined) {
    throw new InputError({
      code: 'TG-I07',
      what: `--preds ${source.given}, ${other.place}: no instance_id with model_patch (found ${other.fields.join(', ')}).`,
      meaning: 'No row of it has the fields of predictions. Nothing was started.',
      fix: 'A row is {"instance_id": …, "model_name_or_path": …, "model_patch": …}; Augment’s and TRAE’s files fit too.',
    });
  }
  throw new InputError({
    code: 'TG-I06',
    what: `--preds ${source.given}: ${bad === undefined ? 'it is empty' : `${bad.place}: ${bad.problem}`}.`,
    meaning: 'No prediction could be read from it. Nothing was started.',
    fix: 'Check that the file was written to its end.',
  });
}

function foreign({
  source,
  ids,
  datasetName,
}: {
  source: PredictionSource;
  ids: readonly string[];
  datasetName: string;
}): InputError {
  return new InputError({
    code: 'TG-I09',
    what: `--preds ${source.given}: none of its ${ids.length} instances is in dataset ${datasetName} (first: ${ids[0]}).`,
    meaning: 'These are predictions for another dataset or split. Nothing was started.',
    fix: 'Name that dataset with --dataset, or its split with --split.',
  });
}
