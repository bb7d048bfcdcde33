import { BASE } from '../core/candidate.js';
import type { FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { mapAtOnce } from './at-once.js';
import { openColumn } from './column.js';
import type { ApplyEditInput } from './contract.js';
import { usableCandidate } from './documents.js';
import type { EditResult } from './edit-suite.js';
import { executeFile } from './execute-file.js';
import { activityOwner, activitySignal, leaveWhenStopping } from './owner.js';
import type { Services } from './services.js';
import type { LoadedSubject } from './turn-subject.js';

type Edited = Extract<EditResult, { kind: 'edited' }>;

interface Collected {
  readonly kind: 'collected';
  /** Tests of each file that was collected, on the first column where it could be. */
  readonly tests: ReadonlyMap<string, number>;
}

interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
}

/**
 * Whether the test files that an update reaches can be collected on at least one column, the base first: an update whose
 * tests can run nowhere, or that keeps others from running, is refused while the model can still mend it. An interpreter
 * too old for the syntax shows here as well. A file that could be collected nowhere before, and is only reached, may
 * stay so.
 *
 * On the base the tests are run and not only collected: the forward pass needs these outcomes next, and finds them.
 */
export async function collects({
  services,
  input,
  subject,
  edited,
}: {
  services: Services;
  input: ApplyEditInput;
  subject: LoadedSubject;
  edited: Edited;
}): Promise<Collected | Refused> {
  const tests = new Map<string, number>();
  const attempt = (suite: Suite, file: string) => collectSomewhere({ services, input, subject, suite, file });
  for (const file of edited.testFiles) {
    const now = await attempt(edited.suite, file);
    if (now.kind === 'collected') {
      tests.set(file, now.tests);
      continue;
    }
    return { kind: 'refused', reason: `${file} cannot be collected on any candidate with this update: ${now.reason}` };
  }
  const attempts = await mapAtOnce({ items: edited.reached, map: (file) => attempt(edited.suite, file) });
  for (const [index, file] of edited.reached.entries()) {
    const now = attempts[index];
    if (now === undefined) continue;
    if (now.kind === 'collected') {
      tests.set(file, now.tests);
      continue;
    }
    if ((await attempt(subject.suite, file)).kind === 'refused') continue;
    return {
      kind: 'refused',
      reason: `${file} can no longer be collected on any candidate with this update: ${now.reason}`,
    };
  }
  return { kind: 'collected', tests };
}

async function collectSomewhere({
  services,
  input,
  subject,
  suite,
  file,
}: {
  services: Services;
  input: ApplyEditInput;
  subject: LoadedSubject;
  suite: Suite;
  file: string;
}): Promise<{ readonly kind: 'collected'; readonly tests: number } | Refused> {
  const { instance, prepared } = subject;
  const signal = activitySignal();
  const owner = activityOwner({ runId: input.runId, services });
  const reasons: string[] = [];
  for (const column of [...input.columns].sort((a, b) => Number(b.id === BASE) - Number(a.id === BASE))) {
    leaveWhenStopping(services);
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
      image: place.image,
      file,
      rerun: 0,
      mode: candidate === null ? 'run' : 'collect',
      probeModules: prepared.probeModules,
      owner,
      signal,
    });
    if (wasCollected(outcome)) return { kind: 'collected', tests: outcome.outcomes.length };
    reasons.push(outcome.reason);
  }
  return { kind: 'refused', reason: (reasons[0] ?? '').slice(0, 1500) };
}

/** A file that was killed or died with tests on record had been collected. */
const wasCollected = ({ state, outcomes }: FileOutcome): boolean =>
  state === 'ran' || state === 'empty' || (state !== 'not-collected' && outcomes.length > 0);
