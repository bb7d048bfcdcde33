/**
 * What happened to one test on one candidate.
 *
 * `passed`, `failed`, `error` and `timeout` take part in the differential decision; `skipped`, `xfailed`, `missing`
 * (the test was not there or its file never got to it) and `infra` (our side broke) never separate candidates.
 */
export type OutcomeStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed' | 'missing' | 'timeout' | 'infra';

/** The stage of a test in which its outcome was decided. */
export type TestPhase = 'collect' | 'setup' | 'call' | 'teardown';

/** One test on one candidate. */
export interface TestOutcome {
  /** `path/to/test_file.py::Class::test[param]`, relative to the repository's root. */
  readonly testId: string;
  readonly status: OutcomeStatus;
  readonly phase: TestPhase;
  /** First lines of the failure, at most 2,000 characters, paths relative to the repository; empty when passed. */
  readonly message: string;
  readonly durationMs: number;
}

/** One test file on one candidate: the unit that is executed, stored and reused. */
export interface FileOutcome {
  /** Repository-relative path with forward slashes. */
  readonly file: string;
  /**
   * `ran`: collected, outcomes follow; `not-collected`: the file could not be imported or collected;
   * `empty`: it was collected and holds no test; `timeout`: killed at its limit; `crashed`: the process died;
   * `infra`: our side broke and nothing is known.
   */
  readonly state: 'ran' | 'not-collected' | 'empty' | 'timeout' | 'crashed' | 'infra';
  /** Why the file is not `ran`, at most 2,000 characters; empty when it is. */
  readonly reason: string;
  readonly outcomes: readonly TestOutcome[];
  /** Where each probed module was imported from: a repository-relative path, or an absolute one outside of it. */
  readonly imports: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/** All executed files of one suite on one candidate (or on the base). */
export interface CandidateOutcomes {
  readonly schema: 'testgrad.outcomes/1';
  /** The candidate's id, or `base`. */
  readonly candidate: string;
  readonly files: readonly FileOutcome[];
}

/** What a column showed at a step; earlier steps count for tests that have not changed since. */
export interface StepOutcomes {
  readonly step: number;
  /** Index 0 the first execution, then the reruns. */
  readonly runs: readonly CandidateOutcomes[];
}

/** True for statuses that say something about the candidate's behaviour. */
export const isDecisive = (status: OutcomeStatus): boolean => status === 'passed' || isFailing(status);

/** True for statuses that count as "not passing" in the differential decision. */
export const isFailing = (status: OutcomeStatus): boolean =>
  status === 'failed' || status === 'error' || status === 'timeout';
