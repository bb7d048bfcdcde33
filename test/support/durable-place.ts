import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { runIdOf } from '../../src/cli/run-identity.js';
import type { TestEnvironment } from '../../src/core/instance.js';
import { presetSettings, type Settings } from '../../src/core/settings.js';
import type { ServerTarget } from '../../src/workers/connection.js';
import type { SelectPatchInput } from '../../src/workflows/select-patch.js';
import { storeInstance } from './instances.js';
import type { MiniProject } from './mini-project.js';
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.js';
import { spawnWorker, type WorkerProcess } from './worker-process.js';

/** A server that runs are started on: a TestServer, or another one. */
export interface PlaceServer {
  readonly env: { readonly client: Client };
  readonly target: ServerTarget;
}

/** One run in a state folder of its own, with workers and a model of its own. */
export interface DurablePlace {
  readonly home: string;
  readonly model: ScriptedModel;
  readonly input: SelectPatchInput;
  readonly startWorker: (env?: Readonly<Record<string, string>>) => Promise<WorkerProcess>;
  readonly startRun: () => Promise<WorkflowHandle>;
}

/**
 * Makes a place for a run whose inputs, and so its run id, are the same in every place; `ends` gets what has to be done
 * at the end of the tests.
 */
export async function makePlace({
  server,
  dir,
  name,
  script,
  project,
  python,
  sandbox,
  files,
  settings: wanted,
  agents = ['right', 'example-only'],
  built = false,
  flags = {},
  ends,
}: {
  server: PlaceServer;
  dir: string;
  /** Of the state folder, the task queue and the workflow. */
  name: string;
  script: Script;
  project: MiniProject;
  python: string;
  sandbox: TestEnvironment['sandbox'];
  /** Test files of y_0. */
  files: readonly string[];
  settings: Partial<Settings>;
  agents?: readonly string[];
  /** Workers from what was built instead of from source. */
  built?: boolean;
  /** More options of the instance by name. */
  flags?: Readonly<Record<string, unknown>>;
  ends: (() => Promise<unknown>)[];
}): Promise<DurablePlace> {
  const home = join(dir, name);
  const model = await startScriptedModel({ script });
  ends.push(() => model.close());
  const { instance, instanceRef } = await storeInstance({
    ...{ home, project, python, sandbox },
    agents,
    flags: { testFile: files, ...flags },
  });
  const settings = { ...presetSettings({ preset: 'balanced', model: 'scripted' }), ...wanted };
  const input: SelectPatchInput = {
    runId: runIdOf({ kind: 'select', instance: instanceRef, settings }),
    instance: instanceRef,
    name: instance.name,
    settings,
    taskQueue: name,
    upsertSearchAttributes: true,
  };
  return {
    home,
    model,
    input,
    startWorker: async (more = {}) => {
      const env = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-test-0123456789', ...more };
      const worker = await spawnWorker({ server, home, taskQueue: name, env, built });
      ends.push(() => worker.end('SIGKILL'));
      return worker;
    },
    startRun: () =>
      server.env.client.workflow.start('selectPatch', { args: [input], taskQueue: name, workflowId: `run/${name}` }),
  };
}
