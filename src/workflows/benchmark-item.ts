import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { ItemAnswer, OpenItemResult } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { ItemOutcome } from '../core/benchmark-progress.js';
import { activityCaller, type CallActivity } from './activities.js';
import { itemEndedSignal } from './benchmark-messages.js';
import type { AttributeRhythm } from './progress.js';
import { selectByMethod } from './select-by-method.js';
import { runSelection, type SelectPatchInput } from './select-patch.js';

export interface BenchmarkItemInput {
  /** Workflow id of the benchmark that is told of the end. */
  readonly benchmark: string;
  /** A BenchmarkPlan. */
  readonly plan: ArtifactRef;
  /** Place in the plan. */
  readonly index: number;
  readonly runId: string;
  /** An error counts for this attempt of the benchmark. */
  readonly attempt: number;
  readonly taskQueue: string;
  readonly upsertSearchAttributes: boolean;
  /** At each phase by default. */
  readonly attributeRhythm?: AttributeRhythm;
  /** Set when the history of a selection was continued as new. */
  readonly carried?: { readonly selection: SelectPatchInput; readonly startedMs: number };
}

const MAX_MESSAGE_CHARS = 300;

/**
 * Runs one method on one instance and keeps what it answers. A failure is an outcome like any other: the workflow
 * completes with it, and the benchmark goes on.
 */
export async function benchmarkItem(input: BenchmarkItemInput): Promise<ItemOutcome> {
  const call = activityCaller({ taskQueue: input.taskQueue });
  let outcome: ItemOutcome;
  try {
    outcome = await work({ input, call });
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    if (isCancellation(error)) {
      await tell({ input, outcome: { kind: 'cancelled' } });
      throw error;
    }
    outcome = await keepError({ input, call, error });
  }
  await tell({ input, outcome });
  return outcome;
}

async function work({ input, call }: { input: BenchmarkItemInput; call: CallActivity }): Promise<ItemOutcome> {
  const { plan, index, runId, carried, taskQueue } = input;
  const startedMs = carried?.startedMs ?? Date.now();
  let selection = carried?.selection;
  let opened: OpenItemResult | null = null;
  if (selection === undefined) {
    setCurrentDetails('Making the instance: repository, environment and candidates');
    opened = await call({ activity: 'openItem', input: { plan, index, runId }, summary: 'make the instance' });
    if (opened.kind === 'finished') return opened.outcome;
    const { instance, name, settings } = opened;
    const { upsertSearchAttributes, attributeRhythm } = input;
    selection = {
      ...{ runId, instance, name, settings, taskQueue, upsertSearchAttributes },
      ...(attributeRhythm && { attributeRhythm }),
    };
  }
  const method = opened?.kind === 'open' ? opened.method : 'testgrad';
  const answer = await answerOf({ input, selection, method, startedMs });
  return call({
    activity: 'keepResult',
    input: { plan, index, runId, instance: selection.instance, answer, wallMs: Date.now() - startedMs },
    summary: 'keep the result',
  });
}

async function answerOf({
  input,
  selection,
  method,
  startedMs,
}: {
  input: BenchmarkItemInput;
  selection: SelectPatchInput;
  method: Extract<OpenItemResult, { kind: 'open' }>['method'];
  startedMs: number;
}): Promise<ItemAnswer> {
  if (method !== 'testgrad') {
    const { runId, instance, name, settings, taskQueue } = selection;
    return { kind: 'record', record: await selectByMethod({ runId, instance, name, settings, taskQueue, method }) };
  }
  const decision = await runSelection({
    input: selection,
    goOn: (next) => continueAsNew<typeof benchmarkItem>({ ...input, carried: { selection: next, startedMs } }),
  });
  return { kind: 'decision', decision };
}

async function keepError({
  input,
  call,
  error,
}: {
  input: BenchmarkItemInput;
  call: CallActivity;
  error: unknown;
}): Promise<ItemOutcome> {
  const { runId, attempt } = input;
  const { code, message } = inWords(error);
  try {
    return await call({ activity: 'keepError', input: { runId, attempt, code, message }, summary: `error ${code}` });
  } catch (storeError) {
    log.warn('The error of the item could not be kept.', { error: storeError });
    return { kind: 'error', code, message };
  }
}

/** The innermost failure: an activity's own, with its stable code as type. */
function inWords(error: unknown): { readonly code: string; readonly message: string } {
  let inner = error;
  while (inner instanceof ActivityFailure && inner.cause !== undefined) inner = inner.cause;
  const type = inner instanceof ApplicationFailure ? (inner.type ?? '') : '';
  const text = inner instanceof Error ? inner.message : String(inner);
  const code = /^TG-[A-Z]\d\d$/.test(type) ? type : 'TG-X01';
  return { code, message: text.replace(`${code} `, '').slice(0, MAX_MESSAGE_CHARS) };
}

/** Tells the benchmark; one that is closed already asks the store when it is started again. */
async function tell({ input, outcome }: { input: BenchmarkItemInput; outcome: ItemOutcome }): Promise<void> {
  const { benchmark, runId } = input;
  try {
    await CancellationScope.nonCancellable(() =>
      getExternalWorkflowHandle(benchmark).signal(itemEndedSignal, { runId, outcome }),
    );
  } catch (error) {
    log.warn('The benchmark could not be told.', { error });
  }
}
