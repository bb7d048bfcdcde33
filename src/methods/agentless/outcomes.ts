import type { CandidateOutcomes, TestOutcome } from '../../core/outcome.js';
import { fileOf } from '../../core/row.js';

/** Ids of the tests that pass in a run, in its order; one that is expected to fail is none. */
export function passedTests(run: CandidateOutcomes): string[] {
  return run.files.flatMap(({ outcomes }) =>
    outcomes.filter(({ status }) => status === 'passed').map(({ testId }) => testId),
  );
}

/**
 * Those of `tests` that a run fails: failed, broken, killed or absent. Skipped tests and tests that are expected to fail
 * are neither.
 *
 * Tests of a file on which our side broke are left out, as nothing is known of them.
 */
export function regressionsIn({ run, tests }: { run: CandidateOutcomes; tests: readonly string[] }): string[] {
  const outcomes = new Map<string, TestOutcome>(
    run.files.flatMap((file) => file.outcomes.map((outcome) => [outcome.testId, outcome] as const)),
  );
  const broken = new Set(run.files.filter(({ state }) => state === 'infra').map(({ file }) => file));
  return tests.filter((test) => {
    if (broken.has(fileOf(test))) return false;
    const status = outcomes.get(test)?.status ?? 'missing';
    return !FINE.includes(status);
  });
}

const FINE: readonly TestOutcome['status'][] = ['passed', 'xfailed', 'skipped', 'infra'];
