import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecuteSuiteResult } from '../../src/activities/contract.js';
import { getJson } from '../../src/artifacts/values.js';
import { runFailure } from '../../src/cli/run-failure.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { Decision } from '../../src/core/decision.js';
import type { Momentum } from '../../src/core/failure-memory.js';
import type { Matrix } from '../../src/core/matrix.js';
import type { FileOutcome } from '../../src/core/outcome.js';
import type { Progress } from '../../src/core/progress.js';
import type { SelectPatchInput } from '../../src/workflows/select-patch.js';
import { activityCounts, resultsOf } from '../support/histories.js';
import { slowTests } from '../support/mini-project.js';
import { processesOf } from '../support/processes.js';
import type { Script } from '../support/scripted-model.js';
import { scriptedRun, stepOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

let server: TestServer;
let bench: Workbench;
let worker: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  server = await startTestServer();
  // Test files of a second each: time to do something to a run that executes them.
  bench = await openWorkbench({ server, files: slowTests(3) });
  worker = await startBenchWorker({ server, bench });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  await worker?.stop();
  await bench?.remove();
  await server?.stop();
});

/** Test files without the slow ones. */
const QUICK = { testFile: ['tests/test_slugs.py'] };

/** A script that waits with its answer to the first request until it is told to go on. */
function gated(script: Script): { readonly script: Script; readonly open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    script: async (request, n) => {
      await gate;
      return script(request, n);
    },
    open: () => open(),
  };
}

/** Starts a run and returns when its first request is with the model. */
async function startAtFirstTurn({
  name,
  script,
  steps = 3,
}: {
  name: string;
  script: Script;
  steps?: number;
}): Promise<{ readonly input: SelectPatchInput; readonly handle: WorkflowHandle }> {
  const input = await bench.prepare({ name, script, settings: { steps }, flags: QUICK });
  const handle = await bench.start(input);
  await until({ what: 'the first request', done: () => bench.requests(name).length === 1 });
  return { input, handle };
}

const progressOf = (handle: WorkflowHandle): Promise<Progress> => handle.query<Progress>('progress');

/** Waits until a paused run has ended its step. */
async function heldAt({ handle, step }: { handle: WorkflowHandle; step: number }): Promise<Progress> {
  await until({
    what: `the end of step ${step}`,
    done: async () => (await progressOf(handle)).failedUpdates === step,
  });
  // Time to go on in, if it did.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return progressOf(handle);
}

test('a paused run ends its step, holds, answers queries, and goes on when told', async () => {
  const { script, open } = gated(scriptedRun());
  const { handle } = await startAtFirstTurn({ name: 'pause', script, steps: 2 });
  // The matrix of the suite as it was is there while the first update is made.
  const first = await handle.query<ArtifactRef | null>('matrix');
  expect(await handle.query('momentum')).toBeNull();
  expect(await handle.executeUpdate<Progress, []>('pause')).toMatchObject({ paused: true, phase: 'backward' });
  open();
  expect(await heldAt({ handle, step: 1 })).toMatchObject({ paused: true, step: 1, steps: 2, failedUpdates: 1 });
  expect(bench.requests('pause').map(stepOf)).toEqual([1, 1]);

  const matrix = await getJson<Matrix>({ store: bench.store, ref: first ?? { digest: '' } });
  expect(matrix).toMatchObject({ step: 0, candidates: ['c1', 'c2', 'c3'] });
  const second = await handle.query<ArtifactRef>('matrix');
  expect(await getJson<Matrix>({ store: bench.store, ref: second })).toMatchObject({ step: 1 });
  const momentum = await handle.query<ArtifactRef>('momentum');
  expect(await getJson<Momentum>({ store: bench.store, ref: momentum })).toMatchObject({ failedUpdates: 1 });

  expect(await handle.executeUpdate<Progress, []>('resume')).toMatchObject({ paused: false });
  const decision = (await handle.result()) as Decision;
  expect(decision).toMatchObject({ ended: 'steps', kind: 'fallback' });
  expect(decision.steps).toHaveLength(3);
  // A finished run still answers.
  expect(await progressOf(handle)).toMatchObject({ phase: 'done', step: 2 });
}, 120_000);

test('a run that is to stop ends with the step in work and decides, even while it is paused', async () => {
  const { script, open } = gated(scriptedRun());
  const { handle } = await startAtFirstTurn({ name: 'stop', script });
  await handle.executeUpdate('pause');
  open();
  await heldAt({ handle, step: 1 });
  await handle.executeUpdate('stopAfterIteration');
  const decision = (await handle.result()) as Decision;
  expect(decision).toMatchObject({ ended: 'stopped', kind: 'fallback', chosenBy: 'checker' });
  expect(bench.requests('stop').map(({ role }) => role)).toEqual(['optimizer', 'optimizer', 'checker']);
}, 120_000);

test('the budget can be changed while a run works, to something sensible', async () => {
  const { script, open } = gated(scriptedRun());
  const { handle } = await startAtFirstTurn({ name: 'budget', script });
  const senseless = handle.executeUpdate('setBudget', { args: [{ maxTokens: 0 }] });
  await expect(senseless).rejects.toThrow(WorkflowUpdateFailedError);
  await handle.executeUpdate('setBudget', { args: [{ maxTokens: 100 }] });
  open();
  const decision = (await handle.result()) as Decision;
  expect(decision).toMatchObject({ ended: 'tokens', kind: 'fallback' });
  expect(bench.requests('budget').map(({ role }) => role)).toEqual(['optimizer', 'checker']);
}, 120_000);

test('the budget cannot fall below what is spent, and exactly that ends the loop', async () => {
  const { script, open } = gated(scriptedRun());
  const { handle } = await startAtFirstTurn({ name: 'spent', script });
  await handle.executeUpdate('pause');
  open();
  const { tokens } = await heldAt({ handle, step: 1 });
  expect(tokens).toBeGreaterThan(0);
  const less = handle.executeUpdate('setBudget', { args: [{ maxTokens: tokens - 1 }] });
  await expect(less).rejects.toMatchObject({ cause: { message: expect.stringContaining(`at least ${tokens}`) } });
  await handle.executeUpdate('setBudget', { args: [{ maxTokens: tokens }] });
  await handle.executeUpdate('resume');
  expect((await handle.result()) as Decision).toMatchObject({ ended: 'tokens', kind: 'fallback' });
  expect(bench.requests('spent').map(stepOf)).toEqual([1, 1, 0]);
}, 120_000);

test('the files of all columns of a matrix are counted', async () => {
  const input = await bench.prepare({ name: 'matrix', script: scriptedRun(), flags: QUICK });
  const handle = await server.env.client.workflow.start('runMatrix', {
    args: [input],
    taskQueue: input.taskQueue,
    workflowId: 'testgrad/matrix/counts',
  });
  await handle.result();
  const results = resultsOf<ExecuteSuiteResult>({ history: await handle.fetchHistory(), activity: 'executeSuite' });
  const sum = (key: 'executed' | 'reused') => results.reduce((total, result) => total + result[key], 0);
  // Three candidates and the base.
  expect(results).toHaveLength(4);
  expect(sum('executed') + sum('reused')).toBe(4);
  expect(await progressOf(handle)).toMatchObject({ executedFiles: sum('executed'), reusedFiles: sum('reused') });
}, 120_000);

test('a run that is decided stays so when its sandboxes cannot be removed', async () => {
  const taskQueue = 'untidy';
  const releaseInstance = () => Promise.reject(ApplicationFailure.nonRetryable('the disk is away'));
  const untidy = await startBenchWorker({ server, bench, taskQueue, replace: () => ({ releaseInstance }) });
  try {
    const wish = { name: 'untidy', agents: ['right'], taskQueue, script: scriptedRun(), flags: QUICK };
    const handle = await bench.start(await bench.prepare(wish));
    expect((await handle.result()) as Decision).toMatchObject({ kind: 'single', selected: 'right' });
    expect(activityCounts(await handle.fetchHistory())).toMatchObject({ finishInstance: 1, releaseInstance: 1 });
  } finally {
    await untidy.stop();
  }
}, 120_000);

/** What a piece of a history handed on to the next one. */
async function handedOn(piece: WorkflowHandle): Promise<SelectPatchInput> {
  const last = (await piece.fetchHistory()).events?.at(-1);
  const data = last?.workflowExecutionContinuedAsNewEventAttributes?.input?.payloads?.[0]?.data;
  return JSON.parse(Buffer.from(data ?? []).toString()) as SelectPatchInput;
}

test('a history that grows long is continued as new, with all that was known and wished', async () => {
  const small = await startTestServer({ dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': 40 } });
  const other = await openWorkbench({ server: small });
  const polling = await startBenchWorker({ server: small, bench: other });
  try {
    const { script, open } = gated(scriptedRun());
    const input = await other.prepare({ name: 'long', script, settings: { steps: 8 } });
    const handle = await other.start(input);
    await until({ what: 'the first request', done: () => other.requests('long').length === 1 });
    await handle.executeUpdate('pause');
    const opened = await progressOf(handle);
    // Enough for the three updates of the script and the judge, and not for many more.
    await handle.executeUpdate('setBudget', { args: [{ maxTokens: 26_000 }] });
    open();
    await heldAt({ handle, step: 1 });
    const { runId, raw } = await handle.describe();
    expect(runId).not.toBe(raw.workflowExecutionInfo?.firstRunId);
    const held = await progressOf(handle);
    expect(held).toMatchObject({ paused: true, step: 1, failedUpdates: 1 });
    expect(held.candidates).toEqual(opened.candidates);
    expect(held.executedFiles).toBeGreaterThan(opened.executedFiles);
    await handle.executeUpdate('resume');
    const decision = (await handle.result()) as Decision;
    expect(decision).toMatchObject({ kind: 'differential', ended: 'tokens', leaders: ['c1', 'c3'] });
    expect(decision.steps.map(({ step }) => step)).toEqual([...decision.steps.keys()]);
    expect(activityCounts(await handle.fetchHistory()).prepareInstance).toBeUndefined();
    expect(activityCounts(await handle.fetchHistory())).toMatchObject({ releaseInstance: 1 });

    // Between the last look at the wishes and the next piece there is nothing to wait for.
    const first = small.env.client.workflow.getHandle(handle.workflowId, raw.workflowExecutionInfo?.firstRunId ?? '');
    expect(activityCounts(await first.fetchHistory()).releaseInstance).toBeUndefined();
    const { carried, ...rest } = await handedOn(first);
    expect(carried).toMatchObject({ progress: { paused: true }, wishes: { maxTokens: 26_000, stop: false } });
    // A wish to stop that came in time for the next piece only.
    const stopped = await small.env.client.workflow.start('selectPatch', {
      args: [{ ...rest, carried: { ...carried, wishes: { maxTokens: 1_000_000, stop: true } } }],
      taskQueue: rest.taskQueue,
      workflowId: 'testgrad/select/stopped',
    });
    expect(await stopped.result()).toMatchObject({ ended: 'stopped', steps: [{ step: 0 }, { step: 1 }] });
  } finally {
    await polling.stop();
    await other.remove();
    await small.stop();
  }
}, 180_000);

/** All outcomes of test files that the store keeps. */
async function keptOutcomes(): Promise<FileOutcome[]> {
  const dir = join(bench.home, 'store', 'refs', 'file-outcome');
  const names = await readdir(dir).catch((): string[] => []);
  const refs = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(dir, name), 'utf8')) as ArtifactRef),
  );
  return Promise.all(refs.map((ref) => getJson<FileOutcome>({ store: bench.store, ref })));
}

test('a cancelled run takes its sandboxes away, and the same input goes on', async () => {
  const input = await bench.prepare({ name: 'cancel', script: scriptedRun(), settings: { steps: 0 } });
  const ownPaths = join(bench.home, 'work', 'runs', input.runId);
  const handle = await bench.start(input);
  await until({ what: 'the forward pass', done: async () => (await progressOf(handle)).phase === 'forward' });
  await until({ what: 'a sandbox', done: () => processesOf(ownPaths).length > 0 });
  await handle.cancel();
  const error: unknown = await handle.result().catch((thrown: unknown) => thrown);
  expect(runFailure({ error, runId: input.runId }).code).toBe('TG-R06');
  expect(processesOf(ownPaths)).toEqual([]);
  expect(existsSync(ownPaths)).toBe(false);
  expect(activityCounts(await handle.fetchHistory())).toMatchObject({ releaseInstance: 1 });
  // What was cut off is held against nobody.
  expect((await keptOutcomes()).filter(({ state }) => state !== 'ran')).toEqual([]);

  const decision = (await (await bench.start(input)).result()) as Decision;
  expect(decision).toMatchObject({ kind: 'fallback', ended: 'steps' });
  const matrix = await getJson<Matrix>({
    store: bench.store,
    ref: { digest: decision.artifacts.matrix ?? '' },
  });
  expect(matrix.rows.length).toBeGreaterThan(6);
  expect(matrix.rows.flatMap(({ cells }) => Object.values(cells)).every(({ status }) => status === 'passed')).toBe(
    true,
  );
}, 120_000);

test('when one column fails the run, what is executed for the others is cut off and not kept', async () => {
  const taskQueue = 'failing';
  const failing = await startBenchWorker({
    server,
    bench,
    taskQueue,
    replace: ({ executeSuite }) => ({
      executeSuite: async (input) => {
        if (input.column.id !== 'c1') return executeSuite(input);
        await until({ what: 'the tests of the others', done: () => processesOf(ownPaths).length > 0 });
        throw ApplicationFailure.nonRetryable('the disk is away');
      },
    }),
  });
  // A change of its own, so that nothing of it is known yet.
  const other = join(bench.dir, 'other.diff');
  const right = await readFile(bench.project.patches.right ?? '', 'utf8');
  await writeFile(other, right.replace('words.pop()', 'words.pop(-1)'));
  const input = await bench.prepare({
    ...{ name: 'failing', taskQueue, agents: ['right', 'other'], patches: { other }, script: scriptedRun() },
    // Without a sandbox a process that is killed by us and one that a candidate kills end alike.
    flags: { sandbox: 'none' },
  });
  const ownPaths = join(bench.home, 'work', 'runs', input.runId);
  try {
    const handle = await bench.start(input);
    await expect(handle.result()).rejects.toMatchObject({ cause: { cause: { message: 'the disk is away' } } });
    // Nothing of it goes on behind the run's back.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(processesOf(ownPaths)).toEqual([]);
    expect(existsSync(ownPaths)).toBe(false);
    expect((await keptOutcomes()).filter(({ state }) => state === 'crashed')).toEqual([]);
    expect(bench.requests('failing')).toEqual([]);
  } finally {
    await failing.stop();
  }
}, 120_000);
