import { join, resolve } from 'node:path';
import { dockerPlaces } from '../../activities/docker-evaluation.js';
import { evaluateRun } from '../../activities/evaluate-run.js';
import { localPlaces } from '../../activities/local-evaluation.js';
import { InputError } from '../../errors.js';
import { requireDocker } from '../../sandbox/docker-daemon.js';
import type { EvaluationProgress, EvaluationRun } from '../../swebench/evaluate/evaluate-instances.js';
import type { OpenPlace } from '../../swebench/evaluate/place.js';
import { readLocalRepos } from '../benchmark/local-repos.js';
import { chooseSandbox } from '../inputs/build-environment.js';
import { readNamedFile } from '../inputs/read-file.js';
import type { Invocation } from '../invocation.js';
import { cacheFolder, homeFolder } from '../places.js';

const DEFAULT_TIMEOUT_SECONDS = 1_800;
/** Exit code where some instance has no verdict for a reason that is not its patch. */
const SOME_TROUBLE = 20;
/** What says something about the patch: the harness counts it as an error, and a person need do nothing. */
const OF_THE_PATCH: ReadonlySet<string> = new Set(['not-applied', 'timeout', 'unparsable']);

/** `testgrad evaluate`: a file of predictions graded as the official harness does, in its layout of files. */
export async function evaluate(invocation: Invocation): Promise<number> {
  const { values, terminal, cwd, env } = invocation;
  const runId = values.text('runName') ?? 'testgrad';
  const timeoutMs = (values.count('timeout') ?? DEFAULT_TIMEOUT_SECONDS) * 1_000;
  const harness = values.text('harness');
  const troubles: string[] = [];
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const run = await evaluateRun({
      dataset: required({ value: values.text('dataset'), flag: '--dataset' }),
      split: values.text('split') ?? 'test',
      predictions: required({ value: values.text('predictionsFile'), flag: '--predictions' }),
      instances: await idsOf(invocation),
      open: await placesOf({ invocation, runId, timeoutMs }),
      runId,
      outDir: resolve(cwd, values.text('reportDir') ?? '.'),
      ...(harness === 'v4' || harness === 'v5' ? { rules: harness } : {}),
      workers: values.count('width') ?? 4,
      timeoutMs,
      cacheDir: cacheFolder({ env, cwd }),
      cwd,
      env,
      signal: stop.signal,
      onProgress: (progress) => {
        terminal.note(progressLine(progress));
        const { trouble } = progress;
        if (trouble !== null && !OF_THE_PATCH.has(trouble.trouble)) troubles.push(progress.instanceId);
      },
    });
    if (values.on('json')) terminal.json(run.report);
    else terminal.out(summary(run));
    if (stop.signal.aborted) return 130;
    return troubles.length === 0 ? 0 : SOME_TROUBLE;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** Places in the sandbox of this machine for the repositories of --local-repos, else in the instances' images. */
async function placesOf({
  invocation,
  runId,
  timeoutMs,
}: {
  invocation: Invocation;
  runId: string;
  timeoutMs: number;
}): Promise<OpenPlace> {
  const { values, terminal, cwd, env } = invocation;
  const given = values.text('localRepos');
  if (given === undefined) {
    await requireDocker();
    return dockerPlaces({ runId, lifetimeMs: 2 * timeoutMs, onPull: (text) => terminal.note(`pull: ${text}`) });
  }
  const kind = await chooseSandbox(invocation);
  const repos = await readLocalRepos({ given, cwd, env, python: values.text('python'), sandbox: kind, timeoutMs });
  const workDir = join(homeFolder(invocation), 'work', 'evaluate');
  const places = new Map<string, Promise<OpenPlace>>();
  return async (input) => {
    const { repo } = input.instance;
    const source = repos.get(repo);
    if (source === undefined) throw new Error(`--local-repos says nothing of ${repo}`);
    const { git: gitDir, python, pythonPath } = source;
    const open = places.get(repo) ?? localPlaces({ kind, workDir, gitDir, python, pythonPath, runId });
    places.set(repo, open);
    return (await open)(input);
  };
}

async function idsOf({ values, cwd }: Invocation): Promise<readonly string[]> {
  const texts = values.texts('instances').map(async (text) => {
    if (!text.startsWith('@')) return text;
    const given = text.slice(1);
    return (await readNamedFile({ path: resolve(cwd, given), given, flag: '--instances' })).toString('utf8');
  });
  return (await Promise.all(texts)).flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== '');
}

function required({ value, flag }: { value: string | undefined; flag: string }): string {
  if (value !== undefined) return value;
  throw new InputError({
    code: 'TG-I14',
    what: `${flag} is missing.`,
    meaning: 'Nothing was started.',
    fix: 'testgrad evaluate --dataset verified --predictions preds.jsonl',
  });
}

function progressLine({ instanceId, state, trouble, reused, done, total }: EvaluationProgress): string {
  const why = trouble === null ? '' : `, ${trouble.trouble}: ${trouble.detail.split('\n')[0] ?? ''}`;
  return `${done} of ${total}  ${instanceId}  ${state}${reused ? ', from before' : ''}${why}`;
}

/** The harness's counters, each with what it means. */
function summary({ report, reportFile, unaccounted }: EvaluationRun): string {
  const rows = [
    ['total_instances', 'instances of the dataset, or those that were chosen'],
    ['submitted_instances', 'with a prediction'],
    ['completed_instances', 'graded: resolved or unresolved'],
    ['resolved_instances', 'all expected tests came true'],
    ['unresolved_instances', 'some did not, or the log says nothing'],
    ['empty_patch_instances', 'without a patch; not run'],
    ['error_instances', 'no verdict: patch not applied, out of time, or trouble of ours (run_instance.log)'],
  ] as const;
  return [
    ...rows.map(
      ([key, meaning]) =>
        `${String(report[key]).padStart(6)}  ${key.replace(/_instances$/, '').replace(/_/g, ' ')}: ${meaning}`,
    ),
    ...[...unaccounted].map(([id, tests]) => `        ${id}: ${tests.length} expected tests in no list of the report`),
    ...(reportFile === null ? [] : [`Report: ${reportFile}`]),
  ].join('\n');
}
