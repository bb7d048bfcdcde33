import { CompleteAsyncError, type Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { isRetryable, TemporalError, TestgradError } from '../errors.js';
import { stoppingFailure, toFailure } from './activity-failure.js';

/** Cancellation arrives with the answer to a heartbeat, so this is how soon an activity learns of it. */
export const HEARTBEAT_EVERY_MS = 5_000;

/** Payloads travel through Temporal's history; bytes belong into the artifact store. */
export const MAX_RESULT_BYTES = 64 * 1024;

/**
 * What every activity has in common: heartbeats while it works, a limit on its result, errors mapped to failures with
 * stable types, and one log line at its end.
 *
 * `stopping` is the signal that the activities got: an error while it is aborted means that the activity left off for
 * the worker's shutdown and is to be retried.
 */
export function activityInterceptor({
  stopping,
  secrets,
  heartbeatEveryMs = HEARTBEAT_EVERY_MS,
}: {
  stopping: AbortSignal;
  secrets: readonly string[];
  heartbeatEveryMs?: number;
}): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      execute: async (input, next) => {
        const activity = context.info.activityType;
        const startedMs = Date.now();
        const stopPump = pumpHeartbeats({ context, everyMs: heartbeatEveryMs });
        try {
          const result = await next(input);
          checkSize({ result, activity });
          context.log.info(`${activity} done`, { durationMs: Date.now() - startedMs });
          return result;
        } catch (error) {
          throw outcomeOf({ error, context, stopping, activity, secrets });
        } finally {
          stopPump();
        }
      },
    },
  });
}

function outcomeOf({
  error,
  context,
  stopping,
  activity,
  secrets,
}: {
  error: unknown;
  context: Context;
  stopping: AbortSignal;
  activity: string;
  secrets: readonly string[];
}): unknown {
  if (error instanceof CompleteAsyncError || error instanceof CancelledFailure) return error;
  const { cancellationSignal } = context;
  if (cancellationSignal.aborted) {
    // Whatever broke off did so because it was told to, and only this class is taken for that.
    const { reason } = cancellationSignal;
    return reason instanceof CancelledFailure ? reason : new CancelledFailure(`${activity} cancelled`);
  }
  if (stopping.aborted && (isRetryable(error) || isCancelled(error))) return stoppingFailure({ activity });
  return toFailure({ error, activity, attempt: context.info.attempt, secrets });
}

function isCancelled(error: unknown): boolean {
  return error instanceof TestgradError && error.code === 'TG-R06';
}

/**
 * Sends heartbeats whatever the activity does, so that a cancelled one learns of it; the activity's own details are
 * repeated, because a heartbeat without details erases them. Returns the function that ends it.
 */
function pumpHeartbeats({ context, everyMs }: { context: Context; everyMs: number }): () => void {
  if (context.info.heartbeatTimeoutMs === undefined) return () => undefined;
  let details: unknown = context.info.heartbeatDetails;
  const send = context.heartbeat;
  Object.assign(context, {
    heartbeat: (latest?: unknown) => {
      details = latest;
      send(latest);
    },
  });
  const timer = setInterval(() => send(details), everyMs);
  return () => clearInterval(timer);
}

function checkSize({ result, activity }: { result: unknown; activity: string }): void {
  if (result === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= MAX_RESULT_BYTES) return;
  const largest = largestField(result);
  throw new TemporalError({
    code: 'TG-T07',
    what: `The result of ${activity} has ${bytes} bytes${largest === null ? '' : `, most of them in "${largest}"`}; ${MAX_RESULT_BYTES} are allowed.`,
    meaning: 'This is a defect of testgrad: such data belongs into the artifact store. What was stored stays.',
    fix: 'Please report it together with this message.',
  });
}

function largestField(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const sizes = Object.entries(result).map(([name, value]) => ({ name, bytes: JSON.stringify(value)?.length ?? 0 }));
  return sizes.sort((a, b) => b.bytes - a.bytes)[0]?.name ?? null;
}
