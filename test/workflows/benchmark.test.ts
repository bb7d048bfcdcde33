import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import type { BenchmarkProgress } from '../../src/core/benchmark-progress.js';
import type { BenchmarkEnd, BenchmarkResult, BenchmarkResults } from '../../src/core/benchmark-result.js';
import { type FakeBenchmark, openFakeBenchmark } from '../support/fake-benchmark.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';

let server: TestServer;
let bench: FakeBenchmark;
/** Times that lost items were looked for; the first time fails. */
let looks = 0;

beforeAll(async () => {
  server = await startTestServer();
  bench = await openFakeBenchmark({
    server,
    replace: ({ reconcileItems }) => ({
      reconcileItems: async (input) => {
        looks += 1;
        if (looks === 1) throw ApplicationFailure.nonRetryable('nobody can be asked');
        return reconcileItems(input);
      },
    }),
  });
}, SERVER_START_TIMEOUT_MS);

beforeEach(() => bench.answer(async () => 1));

afterAll(async () => {
  await bench?.stop();
  await server?.stop();
});

const progressOf = (handle: WorkflowHandle) => handle.query<BenchmarkProgress>('progress');
const callsOf = (name: string): number[] =>
  [...bench.calls].filter(([instance]) => instance.startsWith(`${name}-`)).map(([, count]) => count);
const endOf = async (handle: WorkflowHandle) => (await handle.result()) as BenchmarkEnd;

/** Keeps calls of the model waiting until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

/** Length of each history of a workflow id, the newest first. */
async function histories(workflowId: string): Promise<number[]> {
  const lengths: number[] = [];
  for await (const each of server.env.client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const history = await server.env.client.workflow.getHandle(workflowId, each.runId).fetchHistory();
    lengths.push(history.events?.length ?? 0);
  }
  return lengths;
}

test('every item is done once, over histories that are continued as new, and failures are values', async () => {
  bench.answer(async ({ instance }) => {
    if (instance === 'many-7') throw ApplicationFailure.nonRetryable('TG-M06 The request was refused.', 'TG-M06');
    return 2;
  });
  const input = await bench.input({ name: 'many', instances: 24, change: { width: 3, maxEvents: 60 } });
  const end = await endOf(await bench.start(input));
  expect(end).toMatchObject({ finished: 23, errors: 1, missing: 0, complete: true });
  expect(callsOf('many')).toEqual(Array.from({ length: 24 }, () => 1));
  const results = await getJson<BenchmarkResults>({ store: bench.store, ref: end.results });
  expect(results.items[6]).toMatchObject({ kind: 'error', code: 'TG-M06', message: 'The request was refused.' });
  const [first] = results.items;
  if (first?.kind !== 'finished') throw new Error('The first item has no result.');
  const result = await getJson<BenchmarkResult>({ store: bench.store, ref: first.result });
  expect(result).toMatchObject({ selected: 'second', decidedBy: 'judge', method: 'augment', usage: { calls: 1 } });
  const lengths = await histories(`testgrad/bench/${input.runId}`);
  expect(lengths.length).toBeGreaterThan(2);
  expect(Math.max(...lengths)).toBeLessThan(120);

  // The same again: nothing is begun, and the error stands.
  const again = await bench.start(input);
  expect(await endOf(again)).toMatchObject({ finished: 23, errors: 1 });
  expect(callsOf('many').reduce((sum, count) => sum + count)).toBe(24);

  // Errors again, and only they.
  bench.answer(async () => 1);
  const retried = await endOf(await bench.start({ ...input, attempt: 1 }));
  expect(retried).toMatchObject({ finished: 24, errors: 0, complete: true });
  expect(bench.calls.get('many-7')).toBe(2);
  expect(callsOf('many').reduce((sum, count) => sum + count)).toBe(25);
}, 120_000);

test('the window keeps its width, which changes while it runs; pause, resume and budget hold', async () => {
  const { open, opened } = gate();
  bench.answer(async () => {
    await opened;
    return 1;
  });
  const input = await bench.input({ name: 'held', instances: 12, change: { width: 2 } });
  const handle = await bench.start(input);
  await until({ what: 'two calls', done: () => callsOf('held').length === 2 });
  expect((await progressOf(handle)).running).toMatchObject([{ instanceId: 'held-1' }, { instanceId: 'held-2' }]);
  await expect(handle.executeUpdate('setWidth', { args: [{ width: 0 }] })).rejects.toMatchObject({
    cause: { message: 'width must be a whole number from 1 to 200.' },
  });
  await handle.executeUpdate('setWidth', { args: [{ width: 5 }] });
  await until({ what: 'five calls', done: () => callsOf('held').length === 5 });
  await handle.executeUpdate('pause');
  open();
  await until({ what: 'an empty window', done: async () => (await progressOf(handle)).running.length === 0 });
  expect(await progressOf(handle)).toMatchObject({ paused: true, tally: { finished: 5, tokens: 500 } });
  expect(callsOf('held')).toHaveLength(5);

  await handle.executeUpdate('setBudget', { args: [{ maxTokens: 700, maxUsd: null }] });
  await handle.executeUpdate('setWidth', { args: [{ width: 1 }] });
  await handle.executeUpdate('resume');
  expect(await endOf(handle)).toMatchObject({ finished: 7, errors: 0, missing: 5, complete: false });

  // With more to spend the same goes on with what is missing.
  const rest = await endOf(await bench.start({ ...input, budget: { maxTokens: 5_000, maxUsd: null } }));
  expect(rest).toMatchObject({ finished: 12, complete: true });
  expect(callsOf('held')).toEqual(Array.from({ length: 12 }, () => 1));
}, 120_000);

test('a cancelled benchmark cancels its items, and the same input goes on', async () => {
  const { open, opened } = gate();
  bench.answer(async ({ call }) => {
    if (call === 1) await opened;
    return 1;
  });
  const input = await bench.input({ name: 'stopped', instances: 5, change: { width: 2, maxEvents: 12 } });
  const handle = await bench.start(input);
  await until({ what: 'two calls', done: () => callsOf('stopped').length === 2 });
  const { running } = await progressOf(handle);
  expect(running).toHaveLength(2);
  await handle.cancel();
  open();
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  for (const { runId } of running) {
    const item = server.env.client.workflow.getHandle(`testgrad/item/${runId}`);
    // Its end is told just before it closes.
    await until({ what: 'its end', done: async () => (await item.describe()).status.name === 'CANCELLED' });
  }
  expect(await endOf(await bench.start(input))).toMatchObject({ finished: 5, complete: true });
}, 120_000);

test('an item that was ended by hand is found and begun again, though looking for it fails once', async () => {
  const { open, opened } = gate();
  bench.answer(async ({ instance, call }) => {
    if (instance === 'lost-1' && call === 1) await opened;
    return 1;
  });
  const input = await bench.input({ name: 'lost', instances: 2, change: { reconcileEveryMs: 1_000 } });
  const handle = await bench.start(input);
  await until({ what: 'the first call', done: () => bench.calls.get('lost-1') === 1 });
  const [running] = (await progressOf(handle)).running;
  await server.env.client.workflow.getHandle(`testgrad/item/${running?.runId}`).terminate('by hand');
  expect(await endOf(handle)).toMatchObject({ finished: 2, complete: true });
  expect(bench.calls.get('lost-1')).toBe(2);
  expect(looks).toBeGreaterThan(1);
  open();
}, 120_000);
