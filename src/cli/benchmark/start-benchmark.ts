import type { ArtifactStore } from '../../artifacts/store.js';
import type { ArtifactRef } from '../../core/artifact.js';
import { MAX_WIDTH } from '../../core/benchmark-ids.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import type { BenchmarkBudget } from '../../core/benchmark-progress.js';
import { attemptLedger } from '../../core/benchmark-result.js';
import { DEFAULT_TASK_QUEUE } from '../../core/queues.js';
import { InputError } from '../../errors.js';
import type { BenchmarkInput } from '../../workflows/benchmark.js';
import { ensureLocalWorker } from '../ensure-local-worker.js';
import type { Invocation } from '../invocation.js';
import { benchmarkRunIdOf, localTaskQueue, workflowIdOf } from '../run-identity.js';
import { keepRecord } from '../run-index.js';
import { openSession, startSession } from '../session.js';
import { describeRunning, type StartedRun } from '../start-run.js';
import { checkModel, workerEnvironment } from '../worker-environment.js';
import { attributesPresent, summaryText } from '../workflow-metadata.js';

/** Items in work at a time unless a flag says otherwise. */
export const DEFAULT_WIDTH = 4;

/** Times that the errors of a benchmark were to be run again. */
export async function attemptOf({ store, runId }: { store: ArtifactStore; runId: string }): Promise<number> {
  return (await store.readLedger({ key: attemptLedger(runId) })).length;
}

/** True when an arm of the plan asks a model. */
export const needsModel = ({ arms }: Pick<BenchmarkPlan, 'arms'>): boolean =>
  arms.some((arm) => arm.kind === 'run' && arm.method !== 'pass-count');

/** What may be spent, from the flags. Throws TG-I14. */
export function budgetOf({ values }: Pick<Invocation, 'values'>): BenchmarkBudget {
  const usd = values.text('maxUsd');
  const maxUsd = usd === undefined ? null : Number(usd);
  if (maxUsd !== null && !(Number.isFinite(maxUsd) && maxUsd > 0)) {
    throw new InputError({
      code: 'TG-I14',
      what: `--max-usd ${usd}: must be a number above 0.`,
      meaning: 'Nothing was started.',
      fix: 'For example: --max-usd 25.',
    });
  }
  return { maxTokens: values.count('maxTokens') ?? null, maxUsd };
}

/** How many items are in work at a time, from the flag; undefined without it. Throws TG-I14. */
export function widthOf({ values }: Pick<Invocation, 'values'>): number | undefined {
  const width = values.count('width');
  if (width === undefined || width <= MAX_WIDTH) return width;
  throw new InputError({
    code: 'TG-I14',
    what: `--width ${width}: at most ${MAX_WIDTH} are in work at a time.`,
    meaning: 'Nothing was started.',
    fix: 'More workers take more work: testgrad worker.',
  });
}

/**
 * Starts a benchmark, or attaches to the one that is in work, whose width and budget change to what flags say. One that
 * ended begins again with what has no result.
 */
export async function startBenchmark({
  invocation,
  home,
  store,
  plan,
  planRef,
  results,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  plan: BenchmarkPlan;
  planRef: ArtifactRef;
  /** `NAME=PATH` of known results, absolute; undefined keeps those that are remembered. */
  results: readonly string[] | undefined;
}): Promise<StartedRun> {
  const { values, terminal, cwd } = invocation;
  const [budget, width] = [budgetOf(invocation), widthOf(invocation)];
  const runId = benchmarkRunIdOf(planRef);
  const asks = needsModel(plan) && plan.items > 0;
  const env = workerEnvironment({ env: invocation.env, cwd, home });
  const found = await openSession({ invocation, home, start: false });
  if (found === null && asks) await checkModel(env);
  const session = found ?? (await startSession({ invocation, home }));
  try {
    const workflowId = workflowIdOf({ kind: 'bench', runId });
    const { client } = session.connected;
    const running = await describeRunning({ session, workflowId });
    if (running === null && asks && session.local) await checkModel(env);
    const settingQueue = session.local ? localTaskQueue(env) : DEFAULT_TASK_QUEUE;
    const taskQueue = running?.taskQueue ?? values.text('taskQueue') ?? settingQueue;
    const startedAt = running?.startTime ?? new Date();
    const record = await keepRecord({
      home,
      about: benchmarkAbout({ runId, plan, planRef, budget, results }),
      start: { taskQueue, startedAt },
    });
    const own = running === null || taskQueue === settingQueue;
    await ensureLocalWorker({ session, home, env, taskQueue, own, needsModel: asks, note: terminal.note });
    if (running !== null) {
      const handle = client.workflow.getHandle(workflowId);
      if (width !== undefined) await handle.executeUpdate('setWidth', { args: [{ width }] });
      if (budget.maxTokens !== null || budget.maxUsd !== null) {
        await handle.executeUpdate('setBudget', { args: [budget] });
      }
      return { session, handle, record, attached: true };
    }
    const input: BenchmarkInput = {
      ...{ runId, plan: planRef, items: plan.items, budget, taskQueue },
      attempt: await attemptOf({ store, runId }),
      width: width ?? DEFAULT_WIDTH,
      upsertSearchAttributes: await attributesPresent({ session, note: terminal.note }),
    };
    const handle = await client.workflow.start('benchmark', {
      ...{ args: [input], taskQueue, workflowId },
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: summaryText(`${plan.name} · ${plan.instances} instances · ${plan.agents.length} agents`),
      staticDetails: detailsOf(plan),
    });
    return { session, handle, record, attached: false };
  } catch (error) {
    await session.connected.close();
    throw error;
  }
}

/** What is remembered of a benchmark. */
export function benchmarkAbout({
  runId,
  plan,
  planRef,
  budget,
  results,
}: {
  runId: string;
  plan: BenchmarkPlan;
  planRef: ArtifactRef;
  budget: BenchmarkBudget;
  results: readonly string[] | undefined;
}): Parameters<typeof keepRecord>[0]['about'] {
  const models = plan.arms.flatMap((arm) =>
    arm.kind === 'run' && arm.settings.model !== '' ? [arm.settings.model] : [],
  );
  return {
    ...{ kind: 'bench', runId, name: plan.name, instance: planRef, model: models[0] ?? '' },
    maxTokens: budget.maxTokens ?? 0,
    ...(results === undefined ? {} : { results: [...results] }),
  };
}

function detailsOf({ arms, agents, sizes, instances, items }: BenchmarkPlan): string {
  const cell = (text: string): string => text.replace(/[|\r\n`]/g, ' ');
  return [
    `${instances} instances, ${items} runs, N = ${sizes.join(', ')}`,
    '',
    `Agents: ${agents.map(cell).join(', ')}`,
    '',
    `Methods: ${arms.map(({ name }) => name).join(', ')}`,
  ].join('\n');
}
