import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { pino } from 'pino';
import type { InstanceActivities } from '../../src/activities/contract.js';
import { createActivities } from '../../src/activities/index.js';
import type { Services } from '../../src/activities/services.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { openStore } from '../../src/cli/places.js';
import { runIdOf } from '../../src/cli/run-identity.js';
import type { Decision } from '../../src/core/decision.js';
import type { TestEnvironment } from '../../src/core/instance.js';
import { presetSettings, type Settings } from '../../src/core/settings.js';
import { createOpenAiModel } from '../../src/llm/openai-model.js';
import { runWorker } from '../../src/workers/create-worker.js';
import { createServices } from '../../src/workers/services.js';
import type { SelectPatchInput } from '../../src/workflows/select-patch.js';
import { sandboxHere, storeInstance } from './instances.js';
import { type MiniProject, makeMiniProject } from './mini-project.js';
import { pythonWithPytest } from './python-venv.js';
import { type Script, type ScriptedModel, type ScriptedRequest, startScriptedModel } from './scripted-model.js';
import type { TestServer } from './temporal-server.js';

/** How long the workbench's worker waits for an answer of the model. */
export const MODEL_TIMEOUT_MS = 5_000;

/** What a run on the workbench may have of its own. */
export interface RunWish {
  /** Name of the run and of its model: each run has requests and a run id of its own. */
  readonly name: string;
  readonly script: Script;
  readonly agents?: readonly string[];
  /** Patch files besides those of the project, by agent. */
  readonly patches?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly taskQueue?: string;
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** The parts of the product that a run needs, all real but the model: one set for the tests of a file. */
export interface Workbench {
  /** For files of a test's own; gone with the workbench. */
  readonly dir: string;
  readonly home: string;
  readonly store: ArtifactStore;
  readonly project: MiniProject;
  readonly python: string;
  readonly sandbox: TestEnvironment['sandbox'];
  readonly model: ScriptedModel;
  /** Stores the instance, lets the model answer by the script, and gives the workflow's input. */
  readonly prepare: (wish: RunWish) => Promise<SelectPatchInput>;
  readonly start: (input: SelectPatchInput) => Promise<WorkflowHandle>;
  /** {@link prepare}, {@link start} and the decision. */
  readonly select: (wish: RunWish) => Promise<{ readonly input: SelectPatchInput; readonly decision: Decision }>;
  /** Requests of a run so far. */
  readonly requests: (name: string) => readonly ScriptedRequest[];
  readonly remove: () => Promise<void>;
}

/** Makes a project, an interpreter with pytest and a scripted model for runs on `server`. */
export async function openWorkbench({
  server,
  files = {},
}: {
  server: TestServer;
  /** More files of the project, by path. */
  files?: Readonly<Record<string, string>>;
}): Promise<Workbench> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-workbench-'));
  const home = join(dir, 'home');
  const project = await makeMiniProject({ dir, files });
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  const scripts = new Map<string, Script>();
  const model = await startScriptedModel({
    script: (request, n) => {
      const script = scripts.get(request.model);
      if (script === undefined) throw new Error(`no run is called ${request.model}`);
      return script(request, n);
    },
  });

  const prepare = async (wish: RunWish): Promise<SelectPatchInput> => {
    const { name, script, agents, flags } = wish;
    scripts.set(name, script);
    const patches = { ...project.patches, ...wish.patches };
    const { instance, instanceRef } = await storeInstance({
      ...{ home, python, sandbox, project: { ...project, patches } },
      ...(agents === undefined ? {} : { agents }),
      ...(flags === undefined ? {} : { flags }),
    });
    const settings = { ...presetSettings({ preset: 'balanced', model: name }), ...wish.settings };
    return {
      runId: runIdOf({ kind: 'select', instance: instanceRef, settings }),
      instance: instanceRef,
      name: instance.name,
      settings,
      taskQueue: wish.taskQueue ?? 'bench',
      upsertSearchAttributes: true,
    };
  };
  const start = (input: SelectPatchInput): Promise<WorkflowHandle> =>
    server.env.client.workflow.start('selectPatch', {
      args: [input],
      taskQueue: input.taskQueue,
      workflowId: `testgrad/select/${input.runId}`,
    });
  return {
    dir,
    home,
    store: await openStore(home),
    project,
    python,
    sandbox,
    model,
    prepare,
    start,
    select: async (wish) => {
      const input = await prepare(wish);
      return { input, decision: (await (await start(input)).result()) as Decision };
    },
    requests: (name) => model.requests.filter((request) => request.model === name),
    remove: async () => {
      await model.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Runs the product's worker in this process; `stop` returns when it has ended. */
export async function startBenchWorker({
  server,
  bench,
  taskQueue = 'bench',
  apiKey = 'sk-test-0123456789',
  change = {},
  replace = () => ({}),
}: {
  server: TestServer;
  bench: Workbench;
  taskQueue?: string;
  apiKey?: string;
  /** Services to replace. */
  change?: Partial<Services>;
  /** Activities to put in the place of the real ones. */
  replace?: (real: InstanceActivities) => Partial<InstanceActivities>;
}): Promise<{ readonly stop: () => Promise<void> }> {
  const stopping = new AbortController();
  const shutdown = new AbortController();
  const model = createOpenAiModel({ apiKey, baseUrl: bench.model.baseUrl, timeoutMs: MODEL_TIMEOUT_MS });
  const services: Services = {
    ...createServices({ home: bench.home, env: {}, stopping: stopping.signal }),
    model: async () => model,
    ...change,
  };
  let ready = (): void => undefined;
  const polls = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const activities = createActivities({ services });
  const done = runWorker({
    target: server.target,
    taskQueue,
    activities: { ...activities, ...replace(activities) },
    stopping,
    logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    shutdown: shutdown.signal,
    handleSignals: false,
    onReady: ready,
  });
  await Promise.race([polls, done]);
  return {
    stop: async () => {
      shutdown.abort();
      await done;
    },
  };
}
