import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isRetryable, TestgradError } from '../errors.js';

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

/**
 * An activity's error as Temporal keeps it: the type is the stable code, the message begins with it, and whether to
 * retry follows {@link isRetryable} with the delay that the other side asked for. Errors without a code become TG-X01
 * and are retried. `secrets` are blanked out.
 */
export function toFailure({
  error,
  activity,
  secrets,
}: {
  error: unknown;
  activity: string;
  secrets: readonly string[];
}): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const clean = (text: string, maxBytes: number): string => truncate({ text: redact({ text, secrets }), maxBytes });
  if (error instanceof TestgradError) {
    const { code, what, meaning, fix, retryAfterMs } = error;
    const details: FailureDetails = {
      what: clean(what, MAX_DETAIL_BYTES),
      meaning: clean(meaning, MAX_DETAIL_BYTES),
      fix: clean(fix, MAX_DETAIL_BYTES),
    };
    const failure = ApplicationFailure.create({
      message: clean(error.message, MAX_MESSAGE_BYTES),
      type: code,
      nonRetryable: !isRetryable(error),
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
    nonRetryable: false,
  });
  failure.stack = clean(thrown.stack ?? '', MAX_STACK_BYTES);
  return failure;
}

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
