import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { classifyFailure, type InfraFailure } from '../grading/infra-failure.js';
import { pythonJson } from '../grading/instance-report.js';
import type { EvaluationInstance } from '../instance.js';
import type { HarnessRules } from '../logs/log-parser.js';
import { type Evaluation, type EvaluationResult, evaluatePatch, rulesOf } from './evaluate-patch.js';
import { evaluationFolder, finishedEvaluation, writeEvaluation } from './log-folder.js';
import type { OpenPlace } from './place.js';
import { type InstanceState, type RunReport, runReport, runReportName } from './run-report.js';

/** One patch to grade. Empty means that there is none; such an instance is never run. */
export interface EvaluationPrediction {
  readonly instanceId: string;
  /** `model_name_or_path`. */
  readonly model: string;
  readonly patch: Uint8Array;
}

/** What is told while a run goes on. */
export interface EvaluationProgress {
  readonly instanceId: string;
  readonly state: InstanceState['kind'];
  /** Trouble and its detail, where there was some; null otherwise. */
  readonly trouble: { readonly trouble: string; readonly detail: string } | null;
  /** True when an earlier run of the same id had graded the same inputs already. */
  readonly reused: boolean;
  readonly done: number;
  readonly total: number;
}

/** A finished run. */
export interface EvaluationRun {
  readonly report: RunReport;
  /** Absolute path of the report's file; null without a prediction, because it is named by the model. */
  readonly reportFile: string | null;
  readonly states: ReadonlyMap<string, InstanceState>;
  /** Expected tests that the official report has in no list, by instance id. */
  readonly unaccounted: ReadonlyMap<string, readonly string[]>;
}

/**
 * Grades predictions against the instances of a dataset as the official harness does, and leaves its files:
 * `LOGS/run_evaluation/RUN/MODEL/INSTANCE/…` and `REPORTS/MODEL.RUN.json`.
 *
 * An instance is graded again unless the same run id graded the same patch, tests, rules and limit: unlike in the
 * harness, a changed patch is never taken for done. A later prediction for the same instance replaces an earlier one.
 * Trouble with one instance is that instance's error. Throws TG-I14 for predictions of unknown instances and for a run id
 * that cannot be part of a path.
 */
export async function evaluateInstances({
  instances,
  predictions,
  knownIds,
  open,
  runId,
  logsDir,
  reportDir,
  rules,
  workers = 1,
  timeoutMs = 1_800_000,
  signal,
  onProgress = () => undefined,
}: {
  /** Those that are graded: the dataset, or what was chosen of it. */
  instances: readonly EvaluationInstance[];
  predictions: readonly EvaluationPrediction[];
  /** Ids of the whole dataset, where only some were chosen. */
  knownIds?: ReadonlySet<string>;
  open: OpenPlace;
  /** Names the run: `[A-Za-z0-9_.-]`, not only dots. */
  runId: string;
  /** Absolute. */
  logsDir: string;
  /** Absolute. */
  reportDir: string;
  /** Default: by instance, see {@link rulesOf}. */
  rules?: HarnessRules;
  /** How many instances at one time. */
  workers?: number;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: EvaluationProgress) => void;
}): Promise<EvaluationRun> {
  const byId = new Map(predictions.map((prediction) => [prediction.instanceId, prediction]));
  refuseBadInput({ runId, known: knownIds ?? new Set(instances.map(({ instanceId }) => instanceId)), byId });
  const states = new Map<string, InstanceState>();
  const unaccounted = new Map<string, readonly string[]>();
  let done = 0;

  const evaluateOne = async (instance: EvaluationInstance): Promise<void> => {
    const { instanceId } = instance;
    const outcome = await outcomeOf({
      instance,
      prediction: byId.get(instanceId),
      open,
      rules: rules ?? rulesOf(instance),
      timeoutMs,
      signal,
      place: { logsDir, runId },
    });
    states.set(instanceId, outcome.state);
    if (outcome.unaccounted.length > 0) unaccounted.set(instanceId, outcome.unaccounted);
    done += 1;
    const { state, trouble, reused } = outcome;
    onProgress({ instanceId, state: state.kind, trouble, reused, done, total: instances.length });
  };
  const waiting = [...instances];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await evaluateOne(next);
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, lane));

  const anyV5 = rules === 'v5' || (rules === undefined && instances.some((one) => rulesOf(one) === 'v5'));
  const report = runReport({ states, submittedIds: [...byId.keys()], rules: anyV5 ? 'v5' : 'v4' });
  const [first] = byId.values();
  if (first === undefined) return { report, reportFile: null, states, unaccounted };
  const reportFile = join(reportDir, runReportName({ model: first.model, runId }));
  await mkdir(reportDir, { recursive: true });
  await writeFile(reportFile, `${pythonJson(report)}\n`);
  return { report, reportFile, states, unaccounted };
}

interface Outcome {
  readonly state: InstanceState;
  readonly unaccounted: readonly string[];
  readonly trouble: EvaluationProgress['trouble'];
  readonly reused: boolean;
}

async function outcomeOf({
  instance,
  prediction,
  open,
  rules,
  timeoutMs,
  signal,
  place,
}: {
  instance: EvaluationInstance;
  prediction: EvaluationPrediction | undefined;
  open: OpenPlace;
  rules: HarnessRules;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  place: { logsDir: string; runId: string };
}): Promise<Outcome> {
  const plain = { unaccounted: [], trouble: null, reused: false };
  if (prediction === undefined) return { ...plain, state: { kind: 'incomplete' } };
  const { patch, model } = prediction;
  if (patch.length === 0) return { ...plain, state: { kind: 'empty-patch' } };
  const { instanceId } = instance;
  const folder = evaluationFolder({ ...place, model, instanceId });
  const inputsDigest = digestOf({ instance, patch, rules, timeoutMs });
  const known = await finishedEvaluation({ folder, instanceId, inputsDigest });
  if (known !== null) {
    const failure = rules === 'v5' ? classifyFailure(known.texts) : null;
    return { ...plain, state: known.resolved ? { kind: 'resolved' } : { kind: 'unresolved', failure }, reused: true };
  }
  const evaluation = await evaluatePatch({ instance, patch, open, rules, timeoutMs, signal });
  const { result } = evaluation;
  // What was cancelled says nothing; the files of an earlier run, if there are some, stay.
  if (result.kind !== 'trouble' || result.trouble !== 'cancelled') {
    await writeEvaluation({ folder, instanceId, patch, inputsDigest, evaluation });
  }
  return {
    state: stateOf({ evaluation, rules }),
    unaccounted: result.kind === 'graded' && result.grade.kind === 'graded' ? result.grade.unaccounted : [],
    trouble: result.kind === 'trouble' ? { trouble: result.trouble, detail: result.detail } : null,
    reused: false,
  };
}

function stateOf({ evaluation, rules }: { evaluation: Evaluation; rules: HarnessRules }): InstanceState {
  const { result, testOutput, log } = evaluation;
  if (isResolved(result)) return { kind: 'resolved' };
  const texts = [...(testOutput === null ? [] : [testOutput]), `${log.join('\n')}\n`];
  const failure: InfraFailure | null = rules === 'v5' ? classifyFailure(texts.join('\n')) : null;
  return { kind: result.kind === 'graded' ? 'unresolved' : 'error', failure };
}

const isResolved = (result: EvaluationResult): boolean =>
  result.kind === 'graded' && result.grade.kind === 'graded' && result.grade.report.resolved;

function digestOf({
  instance,
  patch,
  rules,
  timeoutMs,
}: {
  instance: EvaluationInstance;
  patch: Uint8Array;
  rules: HarnessRules;
  timeoutMs: number;
}): string {
  const hash = createHash('sha256').update(JSON.stringify({ instance, rules, timeoutMs }));
  return hash.update('\0').update(patch).digest('hex');
}

function refuseBadInput({
  runId,
  known,
  byId,
}: {
  runId: string;
  known: ReadonlySet<string>;
  byId: ReadonlyMap<string, EvaluationPrediction>;
}): void {
  const refuse = (what: string, fix: string): never => {
    throw new InputError({ code: 'TG-I14', what, meaning: 'Nothing was evaluated.', fix });
  };
  if (!/^(?!\.+$)[\w.-]+$/.test(runId)) {
    refuse(`The run id ${JSON.stringify(runId)} cannot be part of a path.`, 'Use letters, digits, _, . and -.');
  }
  const unknown = [...byId.keys()].filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, 5).join(', ');
  refuse(
    `${unknown.length} predictions are for instances that the dataset does not have: ${shown}${unknown.length > 5 ? ', …' : ''}.`,
    'Name the dataset and split that the predictions were made for.',
  );
}
