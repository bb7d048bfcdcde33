import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '../../src/core/decision.js';
import type { TestEnvironment } from '../../src/core/instance.js';
import { totalUsage } from '../../src/core/usage.js';
import { meaningOf } from '../support/decisions.js';
import { type DurablePlace, makePlace } from '../support/durable-place.js';
import { makeMiniProject } from '../support/mini-project.js';
import { executionLog, tracesOf, withoutCounts } from '../support/run-traces.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import type { ChaosServer } from './chaos-server.js';
import type { Outcome, Scene, Stage } from './scene.js';

const TEST_FILES = ['tests/test_slugs.py', 'tests/test_other.py'];
/** How long the model takes, so that many a kill falls into a call. */
const ANSWER_MS = 1_000;

/** A model that takes its time. */
export const slowly =
  (script: Script): Script =>
  async (request, n) => {
    await sleep(ANSWER_MS);
    return script(request, n);
  };

/** A selection in a place as a run that can be disturbed. */
export const selectionStage = ({
  dir,
  place,
  server,
}: {
  dir: string;
  place: DurablePlace;
  server: ChaosServer;
}): Stage => ({
  ...{ home: place.home, model: place.model, server },
  startWorker: () => place.startWorker(),
  startRun: place.startRun,
  workflowIds: [`run/${place.input.taskQueue}`],
  outcome: async (result): Promise<Outcome> => {
    const decision = result as Decision;
    const traces = await tracesOf({ dir, name: place.input.taskQueue, runId: place.input.runId });
    const { calls, possibleDuplicates } = totalUsage(decision.usage);
    return {
      answer: meaningOf(decision),
      files: withoutCounts(traces.folder),
      ...{ calls, possibleDuplicates, executions: traces.executions },
      left: { processes: traces.left.processes, 'copies of trees': traces.left.copies },
    };
  },
});

/**
 * Selections on the small Python project: two updates on two candidates without a sandbox, where every execution of a
 * test file leaves a line on the host, and three candidates in `sandbox`.
 */
export async function selectionScenes({
  dir,
  server,
  python,
  sandbox,
}: {
  dir: string;
  server: ChaosServer;
  python: string;
  sandbox: TestEnvironment['sandbox'];
}): Promise<readonly Scene[]> {
  const project = await makeMiniProject({ dir, files: { 'conftest.py': executionLog(dir) } });
  const scene = (
    name: string,
    look: {
      readonly sandbox: TestEnvironment['sandbox'];
      readonly agents: readonly string[];
      readonly updates: typeof MINI_UPDATES;
    },
  ): Scene => ({
    name,
    // Workers die most often, as they do in life.
    victims: [
      [['worker'], 10],
      [['server'], 8],
      [['worker', 'server'], 3],
    ],
    ...{ mostKills: 9, workers: 1, callsAtOnce: 1, repositories: [project.repoDir] },
    // Of y_0: the base's outcomes are kept when all of its files have ended.
    filesAtOnce: availableParallelism() + TEST_FILES.length,
    stage: async ({ name: run, ends }) => {
      const script = slowly(scriptedRun({ updates: look.updates }));
      const wish = { name: run, script, files: TEST_FILES, settings: { steps: 2 }, built: true };
      const place = await makePlace({ ...wish, ...look, server, dir, project, python, ends });
      return selectionStage({ dir, place, server });
    },
  });
  const update = (index: number): (typeof MINI_UPDATES)[number] => MINI_UPDATES[index] ?? [];
  return [
    scene('two updates', { sandbox: 'none', agents: ['right', 'example-only'], updates: [update(0), update(2)] }),
    scene('three candidates', { sandbox, agents: ['right', 'example-only', 'also-right'], updates: [update(2)] }),
  ];
}
