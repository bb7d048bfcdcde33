/**
 * Every error that a person may meet, with a stable code, its exit code and whether to retry.
 *
 * Letters: I input, E environment, M model, S sandbox and tests, T Temporal, R result, X defect of ours.
 * `retry` says whether the same call may succeed later without anyone doing something. Exit codes: README, "Exit codes".
 */
const ERROR_TABLE = {
  'TG-I00': { exitCode: 2, retry: false, title: 'no candidate' },
  'TG-I01': { exitCode: 2, retry: false, title: 'one candidate only' },
  'TG-I02': { exitCode: 2, retry: false, title: 'no usable candidate' },
  'TG-I03': { exitCode: 2, retry: false, title: 'file cannot be read' },
  'TG-I06': { exitCode: 2, retry: false, title: 'predictions unreadable' },
  'TG-I07': { exitCode: 2, retry: false, title: 'predictions have other fields' },
  'TG-I08': { exitCode: 2, retry: false, title: 'duplicate predictions' },
  'TG-I09': { exitCode: 2, retry: false, title: 'unknown instances' },
  'TG-I10': { exitCode: 2, retry: false, title: 'missing or empty predictions' },
  'TG-I11': { exitCode: 2, retry: false, title: 'issue not found or empty' },
  'TG-I13': { exitCode: 2, retry: false, title: 'configuration file' },
  'TG-I14': { exitCode: 2, retry: false, title: 'bad value' },
  'TG-I15': { exitCode: 2, retry: false, title: 'dataset not present' },
  'TG-I16': { exitCode: 2, retry: false, title: 'unknown base or branch' },
  'TG-I17': { exitCode: 2, retry: false, title: 'not a git repository' },
  'TG-I18': { exitCode: 2, retry: false, title: 'unusable dataset of candidates' },
  'TG-I19': { exitCode: 2, retry: false, title: 'repository lacks objects' },
  'TG-I20': { exitCode: 2, retry: false, title: 'predictions with text that is no diff' },
  'TG-I21': { exitCode: 2, retry: false, title: 'unusable dataset' },
  'TG-E01': { exitCode: 5, retry: true, title: 'no Docker' },
  'TG-E02': { exitCode: 5, retry: false, title: 'Docker refuses access' },
  'TG-E03': { exitCode: 6, retry: true, title: 'disk full' },
  'TG-E04': { exitCode: 5, retry: false, title: 'image for another architecture' },
  'TG-E05': { exitCode: 5, retry: true, title: 'image cannot be had' },
  'TG-E06': { exitCode: 5, retry: false, title: 'Node too old' },
  'TG-E07': { exitCode: 5, retry: false, title: 'no bubblewrap' },
  'TG-E08': { exitCode: 5, retry: false, title: 'git or Python missing' },
  'TG-E10': { exitCode: 5, retry: true, title: 'artifact store unreachable' },
  'TG-E11': { exitCode: 5, retry: false, title: 'artifact store refuses' },
  'TG-M01': { exitCode: 4, retry: false, title: 'no key' },
  'TG-M02': { exitCode: 4, retry: false, title: 'key refused' },
  'TG-M03': { exitCode: 5, retry: false, title: 'unknown model' },
  'TG-M04': { exitCode: 5, retry: true, title: 'rate limit' },
  'TG-M05': { exitCode: 5, retry: false, title: 'context overflow' },
  'TG-M06': { exitCode: 5, retry: false, title: 'request refused' },
  'TG-M07': { exitCode: 5, retry: true, title: 'endpoint unreachable or failing' },
  'TG-M08': { exitCode: 2, retry: false, title: 'recorded session has no answer' },
  'TG-S01': { exitCode: 5, retry: false, title: 'suite does not run on the base' },
  'TG-S02': { exitCode: 5, retry: false, title: 'no tests collected' },
  'TG-S03': { exitCode: 5, retry: false, title: 'test command cannot start' },
  'TG-S08': { exitCode: 5, retry: false, title: 'tests import another copy of the code' },
  'TG-S09': { exitCode: 5, retry: true, title: 'sandbox broke' },
  'TG-S10': { exitCode: 5, retry: false, title: 'set-up command failed' },
  'TG-T01': { exitCode: 5, retry: true, title: 'no Temporal server' },
  'TG-T02': { exitCode: 5, retry: true, title: 'no worker' },
  'TG-T04': { exitCode: 5, retry: false, title: 'search attributes missing' },
  'TG-T05': { exitCode: 5, retry: false, title: 'no Temporal binary' },
  'TG-T06': { exitCode: 5, retry: false, title: 'local stack did not start' },
  'TG-T07': { exitCode: 1, retry: false, title: 'payload too large' },
  'TG-R04': { exitCode: 2, retry: false, title: 'winner does not apply' },
  'TG-R05': { exitCode: 2, retry: false, title: 'unknown run' },
  'TG-R06': { exitCode: 3, retry: false, title: 'cancelled' },
  'TG-R07': { exitCode: 5, retry: false, title: 'artifact missing or damaged' },
  'TG-X01': { exitCode: 1, retry: false, title: 'unexpected failure' },
} as const satisfies Record<string, { exitCode: number; retry: boolean; title: string }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** What an error tells the person who reads it. */
export interface ErrorText {
  readonly code: ErrorCode;
  /** What happened, with the names at hand. */
  readonly what: string;
  /** What it means, and what is not lost. */
  readonly meaning: string;
  /** What to do; an exact command where there is one. */
  readonly fix: string;
  /** For HTTP 429/503: how long the other side asked us to wait. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one base of all errors that are made for a person. */
export class TestgradError extends Error {
  override readonly name: string = 'TestgradError';
  readonly code: ErrorCode;
  readonly what: string;
  readonly meaning: string;
  readonly fix: string;
  readonly retryAfterMs: number | undefined;

  constructor({ code, what, meaning, fix, retryAfterMs, cause }: ErrorText) {
    super(`${code} ${what} ${meaning} ${fix}`.trim(), { cause });
    this.code = code;
    this.what = what;
    this.meaning = meaning;
    this.fix = fix;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Wrong or unusable input. */
export class InputError extends TestgradError {
  override readonly name = 'InputError';
}

/** Something the machine lacks. */
export class EnvironmentError extends TestgradError {
  override readonly name = 'EnvironmentError';
}

/** The model's endpoint or its answer. */
export class ModelError extends TestgradError {
  override readonly name = 'ModelError';
}

/** Sandboxes and the tests inside them. */
export class SandboxError extends TestgradError {
  override readonly name = 'SandboxError';
}

/** The Temporal server, its workers and their local stack. */
export class TemporalError extends TestgradError {
  override readonly name = 'TemporalError';
}

/** Reading or applying a finished run. */
export class ResultError extends TestgradError {
  override readonly name = 'ResultError';
}

/** The artifact store and what it holds. */
export class StoreError extends TestgradError {
  override readonly name = 'StoreError';
}

/** True when the same call may succeed later; unknown errors are retried, a bounded number of times. */
export function isRetryable(error: unknown): boolean {
  return error instanceof TestgradError ? ERROR_TABLE[error.code].retry : true;
}

/** Exit code of the command line for an error; 1 for an unexpected one. */
export function exitCodeOf(error: unknown): number {
  return error instanceof TestgradError ? ERROR_TABLE[error.code].exitCode : 1;
}

/** Title of a code, or undefined for an unknown one. */
export function titleOf(code: string): string | undefined {
  return code in ERROR_TABLE ? ERROR_TABLE[code as ErrorCode].title : undefined;
}
