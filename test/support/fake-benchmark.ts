import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { pino } from 'pino';
import type { InstanceActivities } from '../../src/activities/contract.js';
import { createActivities } from '../../src/activities/index.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { putJson, putText } from '../../src/artifacts/values.js';
import { storePlan } from '../../src/cli/benchmark/store-plan.js';
import { openStore } from '../../src/cli/places.js';
import type { PlannedInstance } from '../../src/core/benchmark-plan.js';
import type { PreparedCandidate } from '../../src/core/candidate.js';
import { presetSettings } from '../../src/core/settings.js';
import { NO_USAGE } from '../../src/core/usage.js';
import { runWorker } from '../../src/workers/create-worker.js';
import { createServices } from '../../src/workers/services.js';
import type { BenchmarkInput } from '../../src/workflows/benchmark.js';
import type { TestServer } from './temporal-server.js';

/** What one call of the model of an item does, by instance id: the number of the chosen patch, or an error. */
export type FakeModel = (call: { readonly instance: string; readonly call: number }) => Promise<number>;

/**
 * Benchmarks whose instances have no repository: the plan, the store, the window and the items are real, preparation is
 * instant, and the one call of Augment is a function.
 */
export interface FakeBenchmark {
  readonly store: ArtifactStore;
  readonly home: string;
  /** Stores a plan of so many instances and gives the workflow's input. */
  readonly input: (wish: {
    readonly name: string;
    readonly instances: number;
    readonly change?: Partial<BenchmarkInput>;
  }) => Promise<BenchmarkInput>;
  readonly start: (input: BenchmarkInput) => Promise<WorkflowHandle>;
  /** Calls of the model so far, by instance id. */
  readonly calls: ReadonlyMap<string, number>;
  /** Replaces the model. */
  readonly answer: (model: FakeModel) => void;
  readonly stop: () => Promise<void>;
}

const SECOND = 'diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-a\n+c\n';

/** Opens a store and a worker on `server` for fake benchmarks. */
export async function openFakeBenchmark({
  server,
  replace = () => ({}),
}: {
  server: TestServer;
  replace?: (real: InstanceActivities) => Partial<InstanceActivities>;
}): Promise<FakeBenchmark> {
  const home = await mkdtemp(join(tmpdir(), 'testgrad-benchmark-'));
  const store = await openStore(home, {});
  const [stopping, shutdown] = [new AbortController(), new AbortController()];
  const real = createActivities({ services: createServices({ home, env: {}, stopping: stopping.signal }) });
  const calls = new Map<string, number>();
  let model: FakeModel = async () => 1;
  const nothing = await putText({ store, text: '' });
  const candidate = (id: string, agent: string, label: string): PreparedCandidate => ({
    ...{ kind: 'usable', id, agent, label, treeId: id, sameAs: id, sourcePatch: nothing },
    ...{ changedFiles: ['b.py'], setAside: [], added: 1, removed: 1 },
  });
  const fakes: Partial<InstanceActivities> = {
    openItem: async (place) => {
      const known = await real.openItem(place).catch(() => null);
      if (known?.kind === 'finished') return known;
      const { items } = await real.nextItems({ plan: place.plan, from: place.index, attempt: 1e9, want: 1 });
      const name = items[0]?.instanceId ?? '';
      const settings = presetSettings({ preset: 'paper', model: 'fake' });
      return { kind: 'open', instance: nothing, name, method: 'augment', settings };
    },
    prepareInstance: async () => ({
      ...{ candidates: [candidate('c1', 'first', 'A'), candidate('c2', 'second', 'B')] },
      ...{ suite: nothing, baseTreeId: 'base', warnings: [], prepared: nothing },
    }),
    askEnsemble: async ({ runId }) => {
      const instance = names.get(runId) ?? '';
      const call = (calls.get(instance) ?? 0) + 1;
      calls.set(instance, call);
      const number = await model({ instance, call });
      const usage = { ...NO_USAGE, calls: 1, inputTokens: 90, outputTokens: 10, usd: 0.01 };
      return { number, usage, conversation: nothing };
    },
    releaseInstance: async () => ({ removed: 0 }),
  };
  const names = new Map<string, string>();
  const activities = { ...real, ...fakes };
  const worker = runWorker({
    ...{ target: server.target, taskQueue: 'many', stopping, shutdown: shutdown.signal, handleSignals: false },
    activities: { ...activities, ...replace(activities) },
    logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  });
  return {
    store,
    home,
    calls,
    answer: (next) => {
      model = next;
    },
    input: async ({ name, instances, change }) => {
      const patch = async (text: string) => store.put({ bytes: Buffer.from(text), mediaType: 'text/x-diff' });
      const [one, two] = [await patch(SECOND.replace('+c', '+b')), await patch(SECOND)];
      const row = await putJson({ store, value: { name } });
      const planned = Array.from(
        { length: instances },
        (_, index): PlannedInstance => ({
          instanceId: `${name}-${index + 1}`,
          row,
          source: { kind: 'docker', image: 'none', timeoutMs: 1000 },
          slots: [
            { agent: 'first', kind: 'patch', patch: one },
            { agent: 'second', kind: 'patch', patch: two },
          ],
        }),
      );
      const settings = presetSettings({ preset: 'paper', model: 'fake' });
      const { plan, ref } = await storePlan({
        store,
        about: {
          ...{ name, dataset: { key: name, split: 'test', revision: null }, agents: ['first', 'second'], sizes: [2] },
          arms: [{ kind: 'run', name: 'augment', method: 'augment', ablation: null, settings }],
        },
        instances: planned,
      });
      for (const page of plan.itemPages) {
        const items = JSON.parse(Buffer.from(await store.get(page)).toString()) as {
          runId: string;
          instanceId: string;
        }[];
        for (const { runId, instanceId } of items) names.set(runId, instanceId);
      }
      return {
        ...{ runId: ref.digest.slice(0, 12), plan: ref, items: plan.items, attempt: 0, width: 4 },
        ...{ budget: { maxTokens: null, maxUsd: null }, taskQueue: 'many', upsertSearchAttributes: true },
        ...change,
      };
    },
    start: (input) =>
      server.env.client.workflow.start('benchmark', {
        args: [input],
        taskQueue: input.taskQueue,
        workflowId: `testgrad/bench/${input.runId}`,
      }),
    stop: async () => {
      shutdown.abort();
      await worker;
      await rm(home, { recursive: true, force: true });
    },
  };
}
