import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ColumnOutcomes, PreparedInstance, RunContext, TurnSubject } from '../../src/activities/contract.js';
import type { Conversation } from '../../src/activities/documents.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { prepareInstance } from '../../src/activities/prepare-instance.js';
import { scoreSuite } from '../../src/activities/score-suite.js';
import type { Services } from '../../src/activities/services.js';
import { putJson } from '../../src/artifacts/values.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import { BASE } from '../../src/core/candidate.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { ColumnSpec } from '../../src/core/loop-state.js';
import { presetSettings, type Settings } from '../../src/core/settings.js';
import { createServices } from '../../src/workers/services.js';
import { sandboxHere, storeInstance } from './instances.js';
import { type MiniProject, makeMiniProject } from './mini-project.js';
import { pythonWithPytest } from './python-venv.js';

/** A project in a state folder, for activities that are called one by one. */
export interface ActivityBench {
  readonly dir: string;
  readonly home: string;
  readonly project: MiniProject;
  readonly services: Services;
  /** Stores an instance, `change`d from what the command line makes of the project, as a run's context. */
  readonly context: (wish?: {
    readonly agents?: readonly string[];
    /** Patch files besides those of the project, by agent. */
    readonly patches?: Readonly<Record<string, string>>;
    readonly flags?: Readonly<Record<string, unknown>>;
    readonly settings?: Partial<Settings>;
    readonly change?: (instance: InstanceSpec) => InstanceSpec;
  }) => Promise<RunContext>;
  readonly remove: () => Promise<void>;
}

/** Makes the project, with `files` besides its own. */
export async function openActivityBench({
  files = {},
}: {
  files?: Readonly<Record<string, string>>;
} = {}): Promise<ActivityBench> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-activities-'));
  const home = join(dir, 'home');
  const project = await makeMiniProject({ dir, files });
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  const services = createServices({ home, env: {}, stopping: new AbortController().signal });
  return {
    dir,
    home,
    project,
    services,
    context: async (wish = {}) => {
      const { agents = ['right', 'example-only'], flags = {}, settings = {} } = wish;
      const patches = { ...project.patches, ...wish.patches };
      const { instance } = await storeInstance({
        ...{ home, python, sandbox, agents, flags },
        project: { ...project, patches },
      });
      const ref = await putJson({ store: services.store, value: wish.change?.(instance) ?? instance });
      return {
        runId: ref.digest.slice(0, 12),
        instance: ref,
        settings: { ...presetSettings({ preset: 'balanced', model: 'm' }), ...settings },
      };
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** An activity's surroundings; what it throws is the caller's to look at and not logged. */
export const activityEnvironment = (): MockActivityEnvironment =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

/** Calls something as an activity; `heartbeats` collects the details of its heartbeats. */
export function asActivity<T>(
  work: () => Promise<T>,
  { heartbeats = [], env = activityEnvironment() }: { heartbeats?: unknown[]; env?: MockActivityEnvironment } = {},
): Promise<T> {
  env.on('heartbeat', (details: unknown) => heartbeats.push(details));
  return env.run(work);
}

/** A prepared instance with its columns, base last. */
export async function prepared({
  bench,
  context,
}: {
  bench: ActivityBench;
  context: RunContext;
}): Promise<PreparedInstance & { readonly prepared: ArtifactRef; readonly columns: readonly ColumnSpec[] }> {
  const result = await asActivity(() => prepareInstance({ services: bench.services, input: context }));
  const columns = result.candidates.flatMap((each) =>
    each.kind === 'usable' ? [{ id: each.id, treeId: each.treeId, name: each.agent }] : [],
  );
  return { ...result, columns: [...columns, { id: BASE, treeId: result.baseTreeId, name: BASE }] };
}

/** A tool call as the optimizer made it on the scored y_0, with what the activities around it need. */
export type ToolCallSubject = TurnSubject & {
  readonly columns: readonly ColumnSpec[];
  readonly conversation: ArtifactRef;
  readonly callId: string;
};

/** Executes and scores y_0 of an instance, and gives the function that puts a tool call on it. */
export async function scored({
  bench,
  context,
}: {
  bench: ActivityBench;
  context: RunContext;
}): Promise<(call: { readonly tool: string; readonly arguments: unknown }) => Promise<ToolCallSubject>> {
  const { services } = bench;
  const { prepared: ref, suite, columns } = await prepared({ bench, context });
  const outcomes: ColumnOutcomes[] = [];
  for (const column of columns) {
    const input = { ...context, prepared: ref, column, suite, files: null, rerun: 0 };
    const result = await asActivity(() => executeSuite({ services, input }));
    outcomes.push({ candidate: column.id, outcomes: [result.outcomes] });
  }
  const leaders = columns.map(({ id }) => id).filter((id) => id !== BASE);
  const known = { candidates: leaders, columns: outcomes, earlier: [], judgements: null };
  const input = { ...context, prepared: ref, suite, ...known, leaders };
  const { matrix } = await asActivity(() => scoreSuite({ services, input }));
  return async (call) => {
    const argumentsText = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    const conversation: Conversation = {
      schema: 'testgrad.conversation/1',
      tools: [],
      messages: [
        { role: 'user', content: 'Write a test.' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'the-call', name: call.tool, argumentsText }] },
      ],
    };
    return {
      ...{ ...context, step: 0, prepared: ref, suite, matrix, momentum: null, leaders, failedInLead: 0, columns },
      conversation: await putJson({ store: services.store, value: conversation }),
      callId: 'the-call',
    };
  };
}
