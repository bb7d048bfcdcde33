import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { EnvironmentError, isRetryable, TestgradError } from '../errors.js';

// A server keeps 4 KB of a failure; what is longer it cuts wherever that is.
const MAX_MESSAGE_BYTES = 2_000;
const MAX_DETAIL_BYTES = 400;
const MAX_STACK_BYTES = 1_000;

/** What a {@link TestgradError} says, as `details[0]` of its failure. */
export interface FailureDetails {
  readonly what: string;
  readonly meaning: string;
  readonly fix: string;
}

/** Delay after the first attempt on a full disk; it doubles up to the second. */
const DISK_FULL_DELAY_MS = 5_000;
const MAX_DISK_FULL_DELAY_MS = 2 * 60_000;

/** A defect of ours and a sandbox that does not work hardly mend themselves: no other try from this attempt on. */
const LAST_ATTEMPT = 5;
const SELDOM_PASS: readonly string[] = ['TG-S09', 'TG-X01'];
/** What these do must not be lost: a busy host passes, and without their answer a whole benchmark may end. */
const PATIENT = /^(finish|keep|release|next)/;

const givesUp = ({ code, activity, attempt }: { code: string; activity: string; attempt: number }): boolean =>
  attempt >= LAST_ATTEMPT && SELDOM_PASS.includes(code) && !PATIENT.test(activity);

/**
 * An activity's error as Temporal keeps it: the type is the stable code, the message begins with it, and whether to
 * retry follows {@link isRetryable} with the delay that the other side asked for. A full disk is TG-E03, whoever met it.
 * Other errors without a code become TG-X01 and are retried four times. `secrets` are blanked out.
 *
 * @param attempt number of the activity's attempt, from 1
 */
export function toFailure({
  error: thrownError,
  activity,
  attempt,
  secrets,
}: {
  error: unknown;
  activity: string;
  attempt: number;
  secrets: readonly string[];
}): ApplicationFailure {
  if (thrownError instanceof ApplicationFailure) return thrownError;
  const error = isDiskFull(thrownError) ? diskFull({ error: thrownError, activity }) : thrownError;
  const clean = (text: string, maxBytes: number): string => truncate({ text: redact({ text, secrets }), maxBytes });
  if (error instanceof TestgradError) {
    const { code, what, meaning, fix } = error;
    const diskDelayMs = Math.min(DISK_FULL_DELAY_MS * 2 ** (attempt - 1), MAX_DISK_FULL_DELAY_MS);
    const retryAfterMs = code === 'TG-E03' ? diskDelayMs : error.retryAfterMs;
    const details: FailureDetails = {
      what: clean(what, MAX_DETAIL_BYTES),
      meaning: clean(meaning, MAX_DETAIL_BYTES),
      fix: clean(fix, MAX_DETAIL_BYTES),
    };
    const failure = ApplicationFailure.create({
      message: clean(error.message, MAX_MESSAGE_BYTES),
      type: code,
      nonRetryable: !isRetryable(error) || givesUp({ code, activity, attempt }),
      details: [details],
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
    });
    // It was thrown on purpose; where is of no use to the reader.
    failure.stack = '';
    return failure;
  }
  const thrown = error instanceof Error ? error : new Error(String(error));
  const failure = ApplicationFailure.create({
    message: clean(`TG-X01 ${activity}: ${thrown.name}: ${thrown.message}`, MAX_MESSAGE_BYTES),
    type: 'TG-X01',
    nonRetryable: givesUp({ code: 'TG-X01', activity, attempt }),
  });
  failure.stack = clean(thrown.stack ?? '', MAX_STACK_BYTES);
  return failure;
}

const isDiskFull = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const diskFull = ({ error, activity }: { error: NodeJS.ErrnoException; activity: string }): EnvironmentError =>
  new EnvironmentError({
    code: 'TG-E03',
    what: `No space left for ${activity}${error.path === undefined ? '' : ` in ${error.path}`}.`,
    meaning: 'The run waits; what was stored before is complete.',
    fix: 'Free some space; the run goes on by itself, or run the same command again.',
    cause: error,
  });

/** The failure of an activity that stopped because its worker stops: the next worker goes on with it at once. */
export function stoppingFailure({ activity }: { activity: string }): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message: `${activity} stopped with its worker and goes on in the next one.`,
    type: 'WorkerStopping',
    nonRetryable: false,
    category: ApplicationFailureCategory.BENIGN,
  });
  failure.stack = '';
  return failure;
}

/** Values in the environment that no message may show: those of variables named like keys, tokens and passwords. */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name) && (value ?? '').length >= 8)
    .map(([, value]) => value ?? '');
}

function redact({ text, secrets }: { text: string; secrets: readonly string[] }): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function truncate({ text, maxBytes }: { text: string; maxBytes: number }): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // The cut may fall inside a character, which then decodes to a replacement character.
  const start = bytes
    .subarray(0, maxBytes - 4)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${start} …`;
}
