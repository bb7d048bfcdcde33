import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ArtifactStore } from '../artifacts/store.js';
import { getJson, getText } from '../artifacts/values.js';
import type { BenchmarkProgress } from '../core/benchmark-progress.js';
import type { InstanceSpec } from '../core/instance.js';
import type { InstanceRecord } from '../core/metrics/record.js';
import type { Progress } from '../core/progress.js';
import { ResultError } from '../errors.js';
import type { InstancePage, PageData, PageFact, PageRun } from '../report/page-data.js';
import { benchmarkPage, type EndedWithError } from '../report/page-data-benchmark.js';
import { readRunFolder } from '../report/page-data-folder.js';
import { type InstanceMaterial, instancePage, noMaterial } from '../report/page-data-instance.js';
import { detailedInstances, RECORDS_FILE, readErrors, readRecords } from '../report/page-data-records.js';
import { safeLine } from '../report/safe-text.js';
import type { FinishedRun } from './finished-run.js';
import { runFolder } from './places.js';
import type { RunRecord } from './run-index.js';

/** A folder or file that a command names in the place of a run. */
export type NamedPlace =
  | { readonly kind: 'run-folder'; readonly dir: string }
  /** `dir` is null for a file of records alone. */
  | { readonly kind: 'benchmark'; readonly records: string; readonly dir: string | null };

/** What a path holds, or null when the reference is no path but a run: a run's folder, a benchmark's, or its records. */
export async function placeNamed({ reference, cwd }: { reference: string; cwd: string }): Promise<NamedPlace | null> {
  if (/^([0-9a-f]{1,12}|last)$/i.test(reference)) return null;
  const path = resolve(cwd, reference);
  const kind = await stat(path).catch(() => null);
  if (kind?.isFile()) return { kind: 'benchmark', records: path, dir: null };
  if (!kind?.isDirectory()) return null;
  const records = join(path, RECORDS_FILE);
  const hasRecords = await stat(records).then(
    (found) => found.isFile(),
    () => false,
  );
  return hasRecords ? { kind: 'benchmark', records, dir: path } : { kind: 'run-folder', dir: path };
}

/** Data of the page for a path. Throws TG-R05 for a folder without a decision, TG-I06 for damaged records. */
export async function dataOfPlace(place: NamedPlace): Promise<PageData> {
  if (place.kind === 'benchmark') return benchmarkData({ ...place, id: basename(place.dir ?? place.records) });
  const material = await readRunFolder({ dir: place.dir });
  if (material === null) {
    throw new ResultError({
      code: 'TG-R05',
      what: `${place.dir} holds no decision.json and no ${RECORDS_FILE}.`,
      meaning: 'There is nothing to show.',
      fix: 'Name a run (testgrad status lists them), the folder of one, or a file of instance records.',
    });
  }
  return pageOf({
    page: instancePage(material),
    run: {
      id: material.runId,
      kind: 'select',
      name: safeLine(material.title),
      state: 'finished',
      startedAt: null,
      facts: [{ name: 'Run', value: material.runId }],
    },
  });
}

/** Data of the page for a benchmark's records. Throws TG-R05 without any. */
export async function benchmarkData({
  records: file,
  dir,
  id,
}: {
  records: string;
  dir: string | null;
  id: string;
}): Promise<PageData> {
  const records = await readRecords(file);
  const errors = dir === null ? [] : await readErrors(dir);
  const detailed = dir === null ? new Set<string>() : await detailedInstances(dir);
  const expected = [...new Set(records.map(({ instanceId }) => instanceId))];
  const run: PageRun = {
    id: safeLine(id),
    kind: 'bench',
    name: `Benchmark ${safeLine(id)}`,
    state: 'finished',
    startedAt: null,
    facts: [],
  };
  return benchmarkPageOf({ run, records, errors, expected, detailed });
}

/** A page about the records of a benchmark. Throws TG-R05 without any. */
export function benchmarkPageOf({
  run,
  records,
  errors,
  expected,
  detailed,
}: {
  run: PageRun;
  records: readonly InstanceRecord[];
  errors: readonly EndedWithError[];
  expected: readonly string[];
  detailed: ReadonlySet<string>;
}): PageData {
  if (records.length === 0) {
    throw new ResultError({
      code: 'TG-R05',
      what: `${run.name} has no record yet.`,
      meaning: 'There is nothing to show.',
      fix: 'Wait for the first instance to end.',
    });
  }
  const benchmark = benchmarkPage({ records, errors, expected, detailed });
  const facts = [
    { name: 'Records', value: String(records.length) },
    { name: 'Agents in order', value: benchmark.agents.join(', ') },
    { name: 'Methods', value: benchmark.methods.join(', ') },
  ];
  return {
    schema: 'testgrad.page/1',
    madeAt: new Date().toISOString(),
    run: { ...run, facts: [...run.facts, ...facts] },
    progress: null,
    benchmarkProgress: null,
    trouble: '',
    benchmark,
    instances: [],
  };
}

/** A page about one instance; what has a default is for a run in work. */
export const pageOf = ({
  run,
  page,
  progress = null,
  benchmarkProgress = null,
  trouble = '',
}: {
  run: PageRun;
  /** Null while nothing is known of it. */
  page: InstancePage | null;
  progress?: Progress | null;
  benchmarkProgress?: BenchmarkProgress | null;
  trouble?: string;
}): PageData => ({
  schema: 'testgrad.page/1',
  madeAt: new Date().toISOString(),
  run,
  progress,
  benchmarkProgress,
  trouble,
  benchmark: null,
  instances: page === null ? [] : [page],
});

/**
 * What folder and store have of a finished run. The folder has the steps; the store has the rest, also when another machine
 * finished the run.
 */
export async function finishedMaterial({
  home,
  store,
  runId,
  finished,
}: {
  home: string;
  store: ArtifactStore;
  runId: string;
  finished: FinishedRun;
}): Promise<InstanceMaterial> {
  const { decision, matrix, suite } = finished;
  const folder = await readRunFolder({ dir: runFolder({ home, runId }) });
  const known = folder ?? noMaterial({ id: runId, runId, title: decision.instance });
  const instance = await instanceOf({ store, digest: decision.artifacts.instance });
  const patches = new Map(known.patches);
  for (const candidate of decision.candidates) {
    if (candidate.kind !== 'usable' || patches.has(candidate.id)) continue;
    const patch = await textOf({ store, digest: candidate.sourcePatch.digest });
    if (patch !== null) patches.set(candidate.id, patch);
  }
  const issue = known.issue ?? instance?.issue ?? null;
  return { ...known, decision, matrix: matrix ?? known.matrix, suite, issue, patches };
}

/** The text of an artifact, or null where this store has it not. */
export async function textOf({ store, digest }: { store: ArtifactStore; digest: string }): Promise<string | null> {
  return (await store.has({ digest })) ? getText({ store, ref: { digest } }) : null;
}

/** The instance of a run, or null where this store has it not. */
export async function instanceOf({
  store,
  digest,
}: {
  store: ArtifactStore;
  digest: string;
}): Promise<InstanceSpec | null> {
  return (await store.has({ digest })) ? getJson<InstanceSpec>({ store, ref: { digest } }) : null;
}

/** What a run was made with, for the page's last part. */
export function factsOf({ record, instance }: { record: RunRecord; instance: InstanceSpec | null }): PageFact[] {
  const environment = instance?.environment;
  const facts: readonly (PageFact | null)[] = [
    { name: 'Run', value: record.runId },
    { name: 'Workflow', value: record.workflowId },
    { name: 'Model', value: record.model },
    { name: 'Token budget', value: String(record.maxTokens) },
    instance === null ? null : { name: 'Base commit', value: instance.repository.baseCommit },
    environment === undefined
      ? null
      : { name: 'Tests', value: `${environment.testCommand.slice(1).join(' ')} (${environment.runnerVersion})` },
    environment === undefined ? null : { name: 'Python', value: environment.pythonVersion },
    environment === undefined ? null : { name: 'Sandbox', value: environment.sandbox },
    { name: 'Inputs', value: `sha256 ${record.instance.digest}` },
    { name: 'Again', value: 'The same select answers from the store without asking a model.' },
  ];
  return facts.flatMap((fact) => (fact === null ? [] : [{ name: fact.name, value: safeLine(fact.value) }]));
}
