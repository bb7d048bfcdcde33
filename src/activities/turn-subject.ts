import type { ArtifactRef } from '../core/artifact.js';
import type { UsableCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { Labels } from '../core/labels.js';
import { representatives } from '../core/loop-state.js';
import type { Matrix } from '../core/matrix.js';
import type { Suite } from '../core/suite.js';
import { type BaseFiles, materialisedBase } from './base-files.js';
import type { TurnSubject } from './contract.js';
import { getDocument, getInstance, type Prepared } from './documents.js';
import type { Services } from './services.js';

/** Everything that an activity around a model turn is about, loaded from the references it was given. */
export interface LoadedSubject {
  readonly instance: InstanceSpec;
  readonly prepared: Prepared;
  readonly suite: Suite;
  readonly matrix: Matrix;
  readonly base: BaseFiles;
  /** First candidates of their classes: the columns of the matrix. */
  readonly candidates: readonly UsableCandidate[];
  /** Neutral labels by candidate id. */
  readonly labels: Labels;
}

/** Loads the subject of a turn. */
export async function loadSubject({
  services,
  input,
}: {
  services: Services;
  input: TurnSubject;
}): Promise<LoadedSubject> {
  const load = <T>(ref: ArtifactRef): Promise<T> => getDocument<T>({ store: services.store, ref });
  const [instance, prepared, suite, matrix] = await Promise.all([
    getInstance({ store: services.store, ref: input.instance }),
    load<Prepared>(input.prepared),
    load<Suite>(input.suite),
    load<Matrix>(input.matrix),
  ]);
  const base = await materialisedBase({ services, instance });
  const candidates = representatives(prepared.candidates);
  const labels = Object.fromEntries(candidates.map(({ id, label }) => [id, label]));
  return { instance, prepared, suite, matrix, base, candidates, labels };
}
