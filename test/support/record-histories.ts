import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { SelectByMethodInput, WorkedMethod } from '../../src/workflows/select-by-method.js';
import { scriptedBenchmark } from './scripted-benchmark.js';
import { MINI_UPDATES, scriptedRun } from './scripted-optimizer.js';
import { startTestServer, type TestServer } from './temporal-server.js';
import { until } from './until.js';
import { openWorkbench, startBenchWorker, type Workbench } from './workbench.js';

/** Two updates, of which the second separates the two candidates. */
const UPDATES = [MINI_UPDATES[0] ?? [], MINI_UPDATES[2] ?? []];
const AGENTS = ['right', 'example-only'];

interface Scene {
  readonly server: TestServer;
  readonly bench: Workbench;
}

/** What is recorded, by name; each plays one run to its end. */
const SCENARIOS: Readonly<Record<string, (scene: Scene) => Promise<WorkflowHandle>>> = {
  /** A failed update, then a separating one: every activity occurs. */
  decided: async ({ bench }) => {
    const script = scriptedRun({ updates: UPDATES });
    const input = await bench.prepare({ name: 'decided', agents: AGENTS, script });
    return finished(await bench.start(input));
  },
  /** Updates that come to nothing, and an operator who pauses, changes the budget and lets it go on. */
  undecided: async ({ bench }) => {
    const input = await bench.prepare({
      name: 'undecided',
      agents: AGENTS,
      settings: { steps: 2, maxRefusals: 0 },
      script: (request, n) => {
        if (request.role !== 'optimizer') return scriptedRun()(request, n);
        return { toolCalls: [{ name: 'submit_update', arguments: { operations: [] } }], delayMs: 1_000 };
      },
    });
    const handle = await bench.start(input);
    await asked({ bench, name: 'undecided' });
    await handle.executeUpdate('pause');
    await handle.executeUpdate('setBudget', { args: [{ maxTokens: 1_000_000 }] });
    await handle.executeUpdate('resume');
    return finished(handle);
  },
  /** Cancelled while the model is asked. */
  cancelled: async ({ bench }) => {
    const script = scriptedRun({ updates: UPDATES });
    const input = await bench.prepare({
      name: 'cancelled',
      agents: AGENTS,
      script: async (request, n) => {
        await sleep(2_000);
        return script(request, n);
      },
    });
    const handle = await bench.start(input);
    await asked({ bench, name: 'cancelled' });
    await handle.cancel();
    return finished(handle);
  },
  /** The tests as they are. */
  matrix: async ({ server, bench }) => {
    const input = await bench.prepare({ name: '', agents: AGENTS, script: scriptedRun() });
    return finished(
      await server.env.client.workflow.start('runMatrix', {
        args: [input],
        taskQueue: input.taskQueue,
        workflowId: `testgrad/matrix/${input.runId}`,
      }),
    );
  },
};

/** The methods that TestGRAD is compared with. */
const METHODS: Readonly<Record<WorkedMethod, (scene: Scene) => Promise<WorkflowHandle>>> = {
  augment: (scene) => playMethod({ ...scene, method: 'augment' }),
  agentless: (scene) => playMethod({ ...scene, method: 'agentless' }),
  trae: (scene) => playMethod({ ...scene, method: 'trae' }),
  'pass-count': (scene) => playMethod({ ...scene, method: 'pass-count' }),
};

async function playMethod({ server, bench, method }: Scene & { method: WorkedMethod }): Promise<WorkflowHandle> {
  const prepared = await bench.prepare({ name: method, agents: AGENTS, script: scriptedBenchmark });
  const { runId, instance, name, settings, taskQueue } = prepared;
  const input: SelectByMethodInput = { runId, method, instance, name, settings, taskQueue };
  const workflowId = `testgrad/${method}/${runId}`;
  return finished(await server.env.client.workflow.start('selectByMethod', { args: [input], taskQueue, workflowId }));
}

async function finished(handle: WorkflowHandle): Promise<WorkflowHandle> {
  await handle.result().catch(() => undefined);
  return handle;
}

const asked = ({ bench, name }: { bench: Workbench; name: string }): Promise<void> =>
  until({ what: 'a request', done: () => bench.requests(name).length > 0 });

/** Played on a server that wants histories short: what is recorded is the last piece of one. */
const ON_A_SHORT_SERVER: typeof SCENARIOS = {
  continued: async ({ bench }) => {
    const script = scriptedRun({ updates: UPDATES });
    const input = await bench.prepare({ name: 'continued', agents: AGENTS, script });
    return finished(await bench.start(input));
  },
};

/** Plays all scenarios and gives each history as JSON, without what tells of the machine. */
export async function recordHistories({ keep }: { keep: Keep }): Promise<void> {
  await record({ scenarios: { ...SCENARIOS, ...METHODS }, dynamicConfig: {}, keep });
  await record({
    scenarios: ON_A_SHORT_SERVER,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': 40 },
    keep,
  });
}

/** Takes a history as JSON. */
export type Keep = (recorded: { readonly name: string; readonly history: string }) => void;

async function record({
  scenarios,
  dynamicConfig,
  keep,
}: {
  scenarios: typeof SCENARIOS;
  dynamicConfig: Readonly<Record<string, number>>;
  keep: Keep;
}): Promise<void> {
  const server = await startTestServer({ dynamicConfig });
  const bench = await openWorkbench({ server });
  const worker = await startBenchWorker({ server, bench });
  try {
    for (const [name, play] of Object.entries(scenarios)) {
      // The handle of a start stays with the first piece of a continued history.
      const { workflowId } = await play({ server, bench });
      const history = historyToJSON(await server.env.client.workflow.getHandle(workflowId).fetchHistory());
      keep({ name, history: withoutMachine(history) });
    }
  } finally {
    await worker.stop();
    await bench.remove();
    await server.stop();
  }
}

/** One event a line; who worked on it plays no part in a replay. */
export function withoutMachine(history: string): string {
  const { events } = JSON.parse(history, (key, value: unknown) => (key === 'identity' ? 'recorded' : value)) as {
    events: readonly unknown[];
  };
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`;
}
