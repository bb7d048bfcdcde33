import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { EnvironmentError, InputError, ModelError, SandboxError, TestgradError } from '../../src/errors.js';
import { activityInterceptor, MAX_RESULT_BYTES } from '../../src/workers/activity-interceptor.js';

const nothing = (): void => undefined;
const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

const SECRET = 'sk-very-secret-value';

function environment({
  heartbeatDetails,
  attempt = 1,
  activityType = 'executeSuite',
  stopping = new AbortController().signal,
}: {
  heartbeatDetails?: unknown;
  attempt?: number;
  activityType?: string;
  stopping?: AbortSignal;
} = {}): MockActivityEnvironment {
  return new MockActivityEnvironment(
    { activityType, heartbeatTimeoutMs: 30_000, heartbeatDetails, attempt },
    { logger: quiet, interceptors: [activityInterceptor({ stopping, secrets: [SECRET], heartbeatEveryMs: 20 })] },
  );
}

/** What the activity failed with. */
async function failureOf({
  env = environment(),
  error,
}: {
  env?: MockActivityEnvironment;
  error: unknown;
}): Promise<ApplicationFailure> {
  const thrown = await env
    .run(async () => {
      throw error;
    })
    .catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(ApplicationFailure);
  return thrown as ApplicationFailure;
}

test('a coded error keeps its code, its delay and whether to retry', async () => {
  const limited = await failureOf({
    error: new ModelError({ code: 'TG-M04', what: 'Limited.', meaning: 'Waits.', fix: 'Wait.', retryAfterMs: 40_000 }),
  });
  expect(limited).toMatchObject({ type: 'TG-M04', nonRetryable: false, nextRetryDelay: 40_000 });
  expect(limited.message).toBe('TG-M04 Limited. Waits. Wait.');
  expect(limited.details).toEqual([{ what: 'Limited.', meaning: 'Waits.', fix: 'Wait.' }]);

  const wrong = await failureOf({ error: new InputError({ code: 'TG-I14', what: 'a', meaning: 'b', fix: 'c' }) });
  expect(wrong).toMatchObject({ type: 'TG-I14', nonRetryable: true, nextRetryDelay: undefined });
});

test('an error without a code is retried, says where it came from and shows no secret', async () => {
  const failure = await failureOf({ error: new TypeError(`cannot read ${SECRET} of undefined`) });
  expect(failure).toMatchObject({ type: 'TG-X01', nonRetryable: false });
  expect(failure.message).toBe('TG-X01 executeSuite: TypeError: cannot read *** of undefined');
  expect(failure.stack).not.toContain(SECRET);
  expect(await failureOf({ error: 'thrown text' })).toMatchObject({ type: 'TG-X01' });
});

test('a full disk is told as one, whoever met it, and waited for longer each time', async () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', path: '/home/x' });
  const failure = await failureOf({ error });
  expect(failure).toMatchObject({ type: 'TG-E03', nonRetryable: false, nextRetryDelay: 5_000 });
  expect(failure.message).toMatch(/^TG-E03 No space left for executeSuite in \/home\/x\./);
});

test('what hardly mends itself is given up at the fifth attempt, and what passes is not', async () => {
  const fifth = (error: unknown) => failureOf({ env: environment({ attempt: 5 }), error });
  expect(await fifth(new TypeError('a defect'))).toMatchObject({ type: 'TG-X01', nonRetryable: true });
  const text = { what: 'a', meaning: 'b', fix: 'c' };
  const [sandbox, disk, model] = [
    await fifth(new SandboxError({ code: 'TG-S09', ...text })),
    await fifth(new EnvironmentError({ code: 'TG-E03', ...text })),
    await fifth(new ModelError({ code: 'TG-M07', ...text })),
  ];
  expect(sandbox).toMatchObject({ type: 'TG-S09', nonRetryable: true });
  expect(disk).toMatchObject({ nonRetryable: false, nextRetryDelay: 80_000 });
  expect(model).toMatchObject({ nonRetryable: false });
  const last = environment({ attempt: 5, activityType: 'finishInstance' });
  expect(await failureOf({ env: last, error: new TypeError('a busy host') })).toMatchObject({ nonRetryable: false });
});

test('a long message fits into what a server keeps, whole characters only', async () => {
  const long = 'ü€'.repeat(5_000);
  const failure = await failureOf({ error: new InputError({ code: 'TG-I03', what: long, meaning: long, fix: long }) });
  const bytes = Buffer.byteLength(failure.message) + Buffer.byteLength(JSON.stringify(failure.details));
  expect(bytes).toBeLessThan(4_000);
  expect(failure.message.startsWith('TG-I03 ü€')).toBe(true);
  expect(JSON.stringify([failure.message, failure.details])).not.toContain('\uFFFD');
});

test('a failure that is meant for the workflow passes as it is', async () => {
  const own = ApplicationFailure.nonRetryable('mine', 'Own');
  expect(await failureOf({ error: own })).toBe(own);
});

test('too large a result names the activity and the field', async () => {
  const fits = { digest: 'x'.repeat(MAX_RESULT_BYTES - 100) };
  expect(await environment().run(async () => fits)).toBe(fits);
  expect(await environment().run(async () => undefined)).toBeUndefined();

  const failed = environment().run(async () => ({ digest: 'short', log: 'x'.repeat(MAX_RESULT_BYTES) }));
  await expect(failed).rejects.toMatchObject({
    type: 'TG-T07',
    nonRetryable: true,
    message: expect.stringMatching(/executeSuite.*"log"/),
  });
});

test('heartbeats go on by themselves and repeat the latest details, those of the last attempt first', async () => {
  const env = environment({ heartbeatDetails: { done: 3 } });
  const beats: unknown[] = [];
  env.on('heartbeat', (details: unknown) => beats.push(details));
  await env.run(async () => {
    await sleep(70);
    Context.current().heartbeat({ done: 4 });
    await sleep(70);
  });
  const atEnd = beats.length;
  await sleep(60);

  expect(beats[0]).toEqual({ done: 3 });
  expect(beats.at(-1)).toEqual({ done: 4 });
  expect(beats.filter((details) => JSON.stringify(details) === '{"done":4}').length).toBeGreaterThan(1);
  expect(beats.length).toBe(atEnd);
});

test('whatever breaks off after a cancellation counts as cancelled', async () => {
  const env = environment();
  const failed = env.run(async () => {
    env.cancel('CANCELLED');
    throw new TypeError('terminated');
  });
  await expect(failed).rejects.toBeInstanceOf(CancelledFailure);
});

test('an activity that leaves off for the shutdown is retried, one that is hopeless is not', async () => {
  const stopping = new AbortController();
  stopping.abort();
  const left = await failureOf({
    env: environment({ stopping: stopping.signal }),
    error: new DOMException('aborted', 'AbortError'),
  });
  expect(left).toMatchObject({
    type: 'WorkerStopping',
    nonRetryable: false,
    category: ApplicationFailureCategory.BENIGN,
  });
  const cancelled = await failureOf({
    env: environment({ stopping: stopping.signal }),
    error: new TestgradError({ code: 'TG-R06', what: 'Cancelled.', meaning: '', fix: '' }),
  });
  expect(cancelled.type).toBe('WorkerStopping');
  const hopeless = await failureOf({
    env: environment({ stopping: stopping.signal }),
    error: new ModelError({ code: 'TG-M02', what: 'Refused.', meaning: '', fix: '' }),
  });
  expect(hopeless).toMatchObject({ type: 'TG-M02', nonRetryable: true });
});
