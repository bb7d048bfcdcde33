import type { ArtifactStore } from '../../artifacts/store.js';
import { putJson } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import { chooseInstances, type InstanceChoice, parseSizes, parseSlice } from '../../core/benchmark-choose.js';
import type { Arm, BenchmarkPlan, InstanceSource, PlannedInstance, PlannedSlot } from '../../core/benchmark-plan.js';
import { InputError } from '../../errors.js';
import { renderInputReport } from '../../report/benchmark-inputs.js';
import { requireDocker } from '../../sandbox/docker-daemon.js';
import { officialImage } from '../../sandbox/docker-names.js';
import type { Dataset } from '../../swebench/datasets/dataset.js';
import { importDataset } from '../../swebench/datasets/import-dataset.js';
import { readSelectionRows } from '../../swebench/datasets/read-selection-rows.js';
import type { SelectionRow } from '../../swebench/datasets/selection-row.js';
import { type CollectedInputs, collectInputs } from '../../swebench/predictions/collect-inputs.js';
import { predictionSources } from '../../swebench/predictions/prediction-sources.js';
import { refuseUnclean } from '../../swebench/predictions/refuse-unclean.js';
import { chooseSandbox } from '../inputs/build-environment.js';
import { readNamedFile } from '../inputs/read-file.js';
import type { Invocation } from '../invocation.js';
import { cacheFolder } from '../places.js';
import { armsOf, wordsOf } from './arms.js';
import { type LocalRepos, readLocalRepos } from './local-repos.js';
import { storePlan } from './store-plan.js';

const DEFAULT_TIMEOUT_SECONDS = 300;

/** A benchmark whose inputs are read and whose plan is stored. */
export interface BuiltBenchmark {
  readonly plan: BenchmarkPlan;
  readonly ref: ArtifactRef;
  readonly inputs: CollectedInputs;
}

/**
 * Reads all inputs, tells what is in them, and stores the plan; nothing is started. The same inputs give the same plan.
 * Throws as reading does, and with --strict when the inputs are not clean.
 */
export async function buildBenchmark({
  invocation,
  store,
}: {
  invocation: Invocation;
  store: ArtifactStore;
}): Promise<BuiltBenchmark> {
  const { values, cwd, env, terminal } = invocation;
  const arms = armsOf(values);
  const given = values.text('dataset');
  if (given === undefined) throw missingDataset();
  const sources = predictionSources({ given: values.texts('predictions'), cwd });
  const cacheDir = cacheFolder(invocation);
  const split = values.text('split') ?? 'test';
  const dataset = await importDataset({ given, split, cacheDir, cwd, env });
  for (const notice of dataset.notices) terminal.note(notice);
  const chosen = await chosenOf({ invocation, dataset });
  const inputs = await collectInputs({
    ...{ sources, dataset, chosen },
    keepPatch: (bytes) => store.put({ bytes, mediaType: 'text/x-diff' }),
  });
  terminal.note(renderInputReport({ report: inputs.report, columns: terminal.columns }).trimEnd());
  if (values.on('strict')) refuseUnclean(inputs.report);
  const sizes = sizesOf({ text: values.text('candidates'), agents: inputs.agents.length });
  const repos = await localReposOf(invocation);
  const instances = await planned({
    store,
    cacheDir,
    dataset,
    inputs,
    sourceOf: sourcesOf({ repos, arms, invocation }),
  });
  const needsDocker =
    arms.some(({ kind }) => kind === 'run') && instances.some(({ source }) => source.kind === 'docker');
  if (needsDocker && !values.on('dryRun')) await requireDocker();
  const { key, revision } = dataset;
  const { plan, ref } = await storePlan({
    store,
    about: { name: datasetName(given), dataset: { key, split, revision }, agents: inputs.agents, arms, sizes },
    instances,
  });
  return { plan, ref, inputs };
}

const datasetName = (given: string): string =>
  given.replace(/^.*\/(?=.)/, '').replace(/\.(jsonl?|ndjson|parquet)$/i, '');

async function chosenOf({
  invocation,
  dataset,
}: {
  invocation: Invocation;
  dataset: Dataset;
}): Promise<readonly string[]> {
  const { values, cwd } = invocation;
  const listed: string[] = [];
  for (const text of values.texts('instances')) {
    if (!text.startsWith('@')) listed.push(...wordsOf([text]));
    else {
      const { resolve } = await import('node:path');
      const given = text.slice(1);
      const bytes = await readNamedFile({ path: resolve(cwd, given), given, flag: '--instances' });
      listed.push(
        ...bytes
          .toString('utf8')
          .split(/[\s,]+/)
          .filter((id) => id !== ''),
      );
    }
  }
  const choice: InstanceChoice = {
    ids: listed.length === 0 ? null : listed,
    filter: patternOf(values.text('filter')),
    shuffleSeed: values.on('shuffle') ? (values.count('seed') ?? 1) : null,
    slice: sliceOf(values.text('slice')),
  };
  const { chosen, unknown } = chooseInstances({ all: dataset.ids, choice });
  if (unknown.length > 0) throw bad({ what: `--instances: the dataset has no ${unknown.slice(0, 5).join(', ')}.` });
  if (chosen.length === 0) throw bad({ what: 'No instance is left by --instances, --filter and --slice.' });
  return chosen;
}

function patternOf(text: string | undefined): RegExp | null {
  try {
    return text === undefined ? null : new RegExp(text);
  } catch (error) {
    throw bad({ what: `--filter ${text}: ${(error as Error).message}.` });
  }
}

function sliceOf(text: string | undefined): InstanceChoice['slice'] {
  if (text === undefined) return null;
  const slice = parseSlice(text);
  if (slice === null) throw bad({ what: `--slice ${text}: it is FROM:TO, as 0:50, 10: or :-5.` });
  return slice;
}

function sizesOf({ text, agents }: { text: string | undefined; agents: number }): readonly number[] {
  const sizes = parseSizes({ text: text ?? String(agents), agents });
  if (sizes === null) throw bad({ what: `-n ${text}: it is N, A..B or A,B, from 1 to the ${agents} agents.` });
  return sizes;
}

async function localReposOf(invocation: Invocation): Promise<LocalRepos> {
  const { values, cwd, env } = invocation;
  const given = values.text('localRepos');
  if (given === undefined) return new Map();
  return readLocalRepos({
    ...{ given, cwd, env, python: values.text('python') },
    // Nothing runs in a dry run, so that no sandbox is needed for it.
    sandbox: values.on('dryRun') ? 'bubblewrap' : await chooseSandbox(invocation),
    timeoutMs: (values.count('timeout') ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  });
}

type SourceOf = (row: SelectionRow) => InstanceSource;

/** Who names local repositories means them: the images of those left out are many gigabytes. */
function sourcesOf({
  repos,
  arms,
  invocation,
}: {
  repos: LocalRepos;
  arms: readonly Arm[];
  invocation: Invocation;
}): SourceOf {
  const { values } = invocation;
  const isLocal = values.text('localRepos') !== undefined && !values.on('dryRun');
  const needsRun = arms.some(({ kind }) => kind === 'run');
  const timeoutMs = (values.count('timeout') ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  return (row) => {
    const local = repos.get(row.repo);
    if (local !== undefined) return local;
    if (isLocal && needsRun) throw noPlace(row);
    return { kind: 'docker', image: row.image ?? officialImage({ instanceId: row.instanceId }), timeoutMs };
  };
}

/** Stores the rows of chosen instances and gives the instances in the order chosen. */
async function planned({
  store,
  cacheDir,
  dataset,
  inputs,
  sourceOf,
}: {
  store: ArtifactStore;
  cacheDir: string;
  dataset: Dataset;
  inputs: CollectedInputs;
  sourceOf: SourceOf;
}): Promise<readonly PlannedInstance[]> {
  const rows = new Map<string, { readonly row: ArtifactRef; readonly source: InstanceSource }>();
  const ids = new Set(inputs.instances.map(({ instanceId }) => instanceId));
  for await (const row of readSelectionRows({ cacheDir, dataset, ids })) {
    rows.set(row.instanceId, { row: await putJson({ store, value: row }), source: sourceOf(row) });
  }
  return inputs.instances.flatMap(({ instanceId, slots }): PlannedInstance[] => {
    const found = rows.get(instanceId);
    if (found === undefined) return [];
    const agents = inputs.agents;
    return [
      {
        instanceId,
        ...found,
        slots: slots.map((slot, index): PlannedSlot => {
          const agent = agents[index] ?? '';
          if (slot.kind !== 'patch') return { agent, kind: slot.kind };
          return { agent, kind: slot.form === 'no-diff' ? 'excluded' : 'patch', patch: slot.patch };
        }),
      },
    ];
  });
}

function bad({ what }: { what: string }): InputError {
  return new InputError({ code: 'TG-I14', what, meaning: 'Nothing was started.', fix: 'See testgrad bench --help.' });
}

function missingDataset(): InputError {
  return new InputError({
    code: 'TG-I14',
    what: 'No dataset was named.',
    meaning: 'Nothing was started.',
    fix: 'Name it: --dataset FILE, or --dataset verified.',
  });
}

function noPlace({ repo, instanceId }: SelectionRow): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `${instanceId}: --local-repos says nothing of ${repo}.`,
    meaning: 'Nothing was started.',
    fix: 'Add the repository to that file, leave its instances out with --filter, or run all in official images, without --local-repos. --dry-run needs none.',
  });
}
