import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getJson } from '../../src/artifacts/values.js';
import { buildBenchmark } from '../../src/cli/benchmark/build-benchmark.js';
import { openStore } from '../../src/cli/places.js';
import { benchmarkRunIdOf } from '../../src/cli/run-identity.js';
import { itemWorkflowId } from '../../src/core/benchmark-ids.js';
import type { PlannedItem } from '../../src/core/benchmark-plan.js';
import type { TestEnvironment } from '../../src/core/instance.js';
import type { BenchmarkInput } from '../../src/workflows/benchmark.js';
import { quietInvocation } from '../support/invocation.js';
import { scriptedBenchmark } from '../support/scripted-benchmark.js';
import { startScriptedModel } from '../support/scripted-model.js';
import { spawnWorker } from '../support/worker-process.js';
import { benchmarkOutcome } from './benchmark-outcome.js';
import { startChaosServer } from './chaos-server.js';
import type { Scene } from './scene.js';
import { slowly } from './selections.js';

const MAKE = fileURLToPath(new URL('../../examples/bench/make.mjs', import.meta.url));
const AGENTS = ['atlas', 'birch', 'cedar', 'delta'];
const METHODS = ['testgrad', 'augment', 'agentless', 'trae', 'pass-count', 'single', 'random', 'oracle', 'adversary'];
/** Items in work at a time. */
const WIDTH = 4;
/** So few that the history is continued as new under the kills. */
const MAX_EVENTS = 80;

/**
 * The small benchmark of `examples/bench` with all methods, two workers and a server of its own: the runs of its items
 * are called the same in every place, and one server would take them for one another.
 */
export function benchmarkScene({
  dir,
  python,
  sandbox,
}: {
  dir: string;
  python: string;
  sandbox: TestEnvironment['sandbox'];
}): Scene {
  const small = join(dir, 'small');
  execFileSync(process.execPath, [MAKE, small]);
  const given = (folder: string, suffix: string): string[] =>
    AGENTS.map((agent) => `${agent}=${join(small, folder, `${agent}.${suffix}`)}`);
  const flags = {
    ...{ dataset: join(small, 'dataset.jsonl'), localRepos: join(small, 'repos.yaml'), python, sandbox },
    ...{ predictions: given('preds', 'jsonl'), methods: METHODS, candidates: '2..4', model: 'scripted' },
  };
  const invocation = quietInvocation({ verb: 'bench', flags, env: { TESTGRAD_CACHE: join(dir, 'cache') } });
  return {
    name: 'benchmark',
    victims: [
      [['worker'], 10],
      [['server'], 6],
      [['worker', 'server'], 4],
    ],
    ...{ mostKills: 24, workers: 2, callsAtOnce: WIDTH, filesAtOnce: 0, repositories: [join(small, 'repos')] },
    stage: async ({ name, ends }) => {
      const home = join(dir, name);
      const model = await startScriptedModel({ script: slowly(scriptedBenchmark) });
      ends.push(() => model.close());
      const server = await startChaosServer({ home: join(dir, `${name}-server`) });
      ends.unshift(() => server.stop());
      const store = await openStore(home, {});
      const { plan, ref } = await buildBenchmark({ invocation, store });
      const pages = await Promise.all(plan.itemPages.map((page) => getJson<PlannedItem[]>({ store, ref: page })));
      const runId = benchmarkRunIdOf(ref);
      const input: BenchmarkInput = {
        ...{ runId, plan: ref, items: plan.items, attempt: 0, width: WIDTH, maxEvents: MAX_EVENTS },
        ...{ budget: { maxTokens: null, maxUsd: null }, taskQueue: name, upsertSearchAttributes: true },
      };
      const { client } = server.env;
      const workflowId = `testgrad/bench/${runId}`;
      return {
        ...{ home, model, server },
        startWorker: async () => {
          const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-test-0123456789' };
          const worker = await spawnWorker({ server, home, taskQueue: name, env, built: true });
          ends.unshift(() => worker.end('SIGKILL'));
          return worker;
        },
        startRun: () => client.workflow.start('benchmark', { args: [input], taskQueue: name, workflowId }),
        workflowIds: [workflowId, ...pages.flat().map((item) => itemWorkflowId(item.runId))],
        outcome: (result) =>
          benchmarkOutcome({ dir, name, store, plan, planRef: ref, client, result, known: given('results', 'json') }),
      };
    },
  };
}
