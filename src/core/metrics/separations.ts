import type { TestOrigin } from '../suite.js';
import type { InstanceRecord, RecordedCandidate, Separation } from './record.js';

/**
 * What a test that separates candidates is worth, judged by the tests that grade:
 *
 * - `valid`: it fails no right candidate, and passes a right one while it fails a wrong one;
 * - `wrong`: it fails a right candidate;
 * - `neutral`: it tells wrong candidates apart;
 * - `unknown`: a result that nobody has graded would decide between these.
 */
export type SeparationValue = 'valid' | 'wrong' | 'neutral' | 'unknown';

/** Judges one separation. Source: the valid- and wrong-separation rates of the project's measurement plan. */
export function separationValue({
  separation,
  candidates,
}: {
  separation: Pick<Separation, 'passed' | 'failed'>;
  candidates: readonly RecordedCandidate[];
}): SeparationValue {
  const results = (indices: readonly number[]) => indices.map((index) => candidates[index]?.resolution ?? 'unknown');
  const failed = results(separation.failed);
  const passed = results(separation.passed);
  if (failed.includes('resolved')) return 'wrong';
  if (failed.includes('unknown')) return 'unknown';
  if (passed.includes('resolved')) return 'valid';
  return passed.includes('unknown') ? 'unknown' : 'neutral';
}

/** Counts of separations by their value. */
export interface SeparationCounts {
  readonly origin: TestOrigin;
  readonly tests: number;
  readonly valid: number;
  readonly wrong: number;
  readonly neutral: number;
  readonly unknown: number;
  /** `valid / (valid + wrong)`; null without any of both. */
  readonly precision: number | null;
}

/** Separations of one method by where their tests come from; of `deciding` ones only where asked for. */
export function separationsByOrigin({
  records,
  decidingOnly = false,
}: {
  records: readonly InstanceRecord[];
  decidingOnly?: boolean;
}): SeparationCounts[] {
  const judged = records.flatMap(({ separations, candidates }) =>
    separations
      .filter(({ deciding }) => deciding || !decidingOnly)
      .map((separation) => ({ origin: separation.origin, value: separationValue({ separation, candidates }) })),
  );
  const origins: readonly TestOrigin[] = ['original', 'updated', 'created'];
  return origins.flatMap((origin) => {
    const own = judged.filter((each) => each.origin === origin);
    const count = (value: SeparationValue): number => own.filter((each) => each.value === value).length;
    const valid = count('valid');
    const wrong = count('wrong');
    const precision = valid + wrong === 0 ? null : valid / (valid + wrong);
    if (own.length === 0) return [];
    const counts = { origin, tests: own.length, valid, wrong, neutral: count('neutral'), unknown: count('unknown') };
    return [{ ...counts, precision }];
  });
}

/** How many updates it took until a test told candidates apart. */
export interface StepsToSeparation {
  /** In ascending order; step 0 is the suite as the repository has it. */
  readonly steps: readonly { readonly step: number; readonly instances: number; readonly cumulative: number }[];
  /** Instances without any separation. */
  readonly never: number;
  /** Mean step of the instances with one; null without any. */
  readonly mean: number | null;
}

/** The first separation of each instance. `cumulative` is the share of all instances separated up to that step. */
export function stepsToSeparation(records: readonly InstanceRecord[]): StepsToSeparation {
  const firsts = records.flatMap(({ separations }) =>
    separations.length === 0 ? [] : [Math.min(...separations.map(({ step }) => step))],
  );
  const last = Math.max(-1, ...firsts);
  const steps = Array.from({ length: last + 1 }, (_, step) => ({
    step,
    instances: firsts.filter((first) => first === step).length,
    cumulative: firsts.filter((first) => first <= step).length / records.length,
  }));
  return {
    steps,
    never: records.length - firsts.length,
    mean: firsts.length === 0 ? null : firsts.reduce((sum, step) => sum + step, 0) / firsts.length,
  };
}
