import { ApplicationFailure } from '@temporalio/common';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { BenchmarkProgress } from '../../src/core/benchmark-progress.js';
import { type FakeBenchmark, openFakeBenchmark } from './fake-benchmark.js';
import { type Keep, withoutMachine } from './record-histories.js';
import { startTestServer, type TestServer } from './temporal-server.js';
import { until } from './until.js';

/** Of benchmarks that end without a break: the last piece of a history continued as new, and an item that fails. */
async function recordOthers({ server, bench, keep }: { server: TestServer; bench: FakeBenchmark; keep: Keep }) {
  const { client } = server.env;
  const keepLast = async ({ name, id }: { name: string; id: string }): Promise<void> =>
    keep({ name, history: withoutMachine(historyToJSON(await client.workflow.getHandle(id).fetchHistory())) });
  bench.answer(async ({ instance }) => {
    if (instance === 'refused-1') throw ApplicationFailure.nonRetryable('TG-M06 Refused.', 'TG-M06');
    return 2;
  });
  const change = { width: 3, maxEvents: 60 };
  const long = await bench.start(await bench.input({ name: 'continued', instances: 16, change }));
  await long.result();
  await keepLast({ name: 'benchmark-continued', id: long.workflowId });
  const refused = await bench.start(await bench.input({ name: 'refused', instances: 1 }));
  await refused.result();
  const { events } = await refused.fetchHistory();
  const started = events
    ?.map((event) => event.childWorkflowExecutionStartedEventAttributes)
    .find((each) => each != null);
  await keepLast({ name: 'benchmark-item-failed', id: started?.workflowExecution?.workflowId ?? '' });
}

/**
 * Plays a benchmark that is paused and widened, one of whose items is found by looking for it, and gives its history and
 * that of the item; then two others.
 */
export async function recordBenchmarkHistories({ keep }: { keep: Keep }): Promise<void> {
  const server = await startTestServer();
  const bench = await openFakeBenchmark({ server });
  const { client } = server.env;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  try {
    bench.answer(async ({ instance, call }) => {
      if (instance === 'recorded-7' && call === 1) await held;
      return 1;
    });
    const change = { width: 2, reconcileEveryMs: 1_500 };
    const input = await bench.input({ name: 'recorded', instances: 8, change });
    const { workflowId } = await bench.start(input);
    const handle = client.workflow.getHandle(workflowId);
    await handle.executeUpdate('pause');
    await handle.executeUpdate('setWidth', { args: [{ width: 3 }] });
    await handle.executeUpdate('resume');
    await until({ what: 'the seventh', done: () => bench.calls.get('recorded-7') === 1 });
    const { running } = await handle.query<BenchmarkProgress>('progress');
    const lost = running.find(({ instanceId }) => instanceId === 'recorded-7')?.runId ?? '';
    await client.workflow.getHandle(`testgrad/item/${lost}`).terminate();
    await client.workflow.getHandle(workflowId).result();
    for (const [name, id] of [
      ['benchmark', workflowId],
      ['benchmark-item', `testgrad/item/${lost}`],
    ] as const) {
      keep({ name, history: withoutMachine(historyToJSON(await client.workflow.getHandle(id).fetchHistory())) });
    }
    await recordOthers({ server, bench, keep });
  } finally {
    release();
    await bench.stop();
    await server.stop();
  }
}
