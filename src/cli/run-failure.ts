import { type ErrorCode, ResultError, TemporalError, TestgradError, titleOf } from '../errors.js';
import { shortRunId } from '../report/short-run-id.js';

interface FailureLike {
  readonly name: string;
  readonly message: string;
  readonly type?: unknown;
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** An error and its causes, the outermost first. */
function chain(error: unknown): FailureLike[] {
  const found: FailureLike[] = [];
  let current = error;
  while (current instanceof Error && found.length < 20) {
    found.push(current);
    current = current.cause;
  }
  return found;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function fromFailure({
  failure,
  code,
  cause,
}: {
  failure: FailureLike;
  code: ErrorCode;
  cause: unknown;
}): TestgradError {
  const [first] = Array.isArray(failure.details) ? (failure.details as unknown[]) : [];
  const details = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {};
  const what = textOf(details.what);
  return new TestgradError({
    code,
    what: what === '' ? failure.message.replace(new RegExp(`^${code}\\s*`), '') : what,
    meaning: textOf(details.meaning),
    fix: textOf(details.fix),
    cause,
  });
}

/**
 * Why a workflow did not bring a result, as one of our errors: an activity's own coded error where there is one,
 * TG-R06 for a cancelled or terminated run, TG-T01 when the server went away meanwhile; anything else is unexpected.
 */
export function runFailure({ error, runId }: { error: unknown; runId: string }): TestgradError {
  const failures = chain(error);
  const coded = failures.findLast(({ type }) => typeof type === 'string' && titleOf(type) !== undefined);
  if (coded !== undefined && coded.type !== 'TG-X01') {
    return fromFailure({ failure: coded, code: coded.type as ErrorCode, cause: error });
  }
  const short = shortRunId(runId);
  if (failures.some(({ name }) => name === 'CancelledFailure' || name === 'TerminatedFailure')) {
    return new ResultError({
      code: 'TG-R06',
      what: `Run ${short} was cancelled.`,
      meaning: 'What was computed is stored.',
      fix: 'The same command goes on from there.',
      cause: error,
    });
  }
  if (failures.some(({ name }) => name === 'ServiceError' || name === 'IllegalStateError')) {
    return new TemporalError({
      code: 'TG-T01',
      what: `The Temporal server went away while run ${short} was watched: ${failures.at(-1)?.message ?? ''}`,
      meaning: 'The run is in its database and goes on when it is back; nothing is lost.',
      fix: `When it runs again: testgrad watch ${short}.`,
      cause: error,
    });
  }
  return new TestgradError({
    code: 'TG-X01',
    what: `Run ${short} failed: ${failures.at(-1)?.message ?? String(error)}`,
    meaning: 'This is a defect of testgrad. What was computed is stored, and the same command goes on from there.',
    fix: 'Run it again with --verbose and report what it prints.',
    cause: error,
  });
}
