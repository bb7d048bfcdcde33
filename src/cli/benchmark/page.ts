import type { ArtifactStore } from '../../artifacts/store.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import type { BenchmarkEnd } from '../../core/benchmark-result.js';
import type { InstancePage, PageData, PageRun } from '../../report/page-data.js';
import { instancePage } from '../../report/page-data-instance.js';
import { safeLine } from '../../report/safe-text.js';
import { findFinished } from '../finished-run.js';
import { benchmarkPageOf, finishedMaterial } from '../report-material.js';
import type { RunRecord } from '../run-index.js';
import { planOf } from './find.js';
import { scoreBenchmark } from './score-benchmark.js';
import { cellsOf, plannedInstances } from './store-plan.js';

/** Characters of instances' pages that one file holds; the viewer shows those that are left out. */
const MAX_CHARACTERS = 30_000_000;

interface Asked {
  readonly home: string;
  readonly cwd: string;
  readonly store: ArtifactStore;
  readonly record: RunRecord;
}

/** A finished benchmark's page, scored anew; its instances can be opened where their runs left something. */
export async function finishedBenchmarkPage({ end, ...asked }: Asked & { end: BenchmarkEnd }): Promise<PageData> {
  const { home, cwd, store, record } = asked;
  const { records, errors, plan } = await scoreBenchmark({ home, cwd, store, record, end });
  const runs = await instanceRuns({ store, plan });
  const arm = armWithPages(plan);
  const ended = records.filter(
    ({ method, candidates, decidedBy }) =>
      method === arm?.name && candidates.length === plan.sizes.at(-1) && decidedBy !== 'error',
  );
  return benchmarkPageOf({
    run: benchmarkRun({ record, plan, state: 'finished' }),
    records,
    errors,
    expected: [...runs.keys()],
    detailed: new Set(ended.flatMap(({ instanceId }) => (runs.get(instanceId) ? [instanceId] : []))),
  });
}

/** The page with the pages of its instances in it, as one file holds them: without conversations, and as many as fit. */
export async function withInstances({ data, ...asked }: Asked & { data: PageData }): Promise<PageData> {
  if (data.benchmark === null) return data;
  const runs = await instanceRuns({ ...asked, plan: await planOf(asked) });
  const instances: InstancePage[] = [];
  let left = MAX_CHARACTERS;
  for (const [instanceId, runId] of runs) {
    if (runId === null || left <= 0) continue;
    const page = await pageOfRun({ ...asked, instanceId, runId });
    if (page === null) continue;
    const kept = { ...page, logs: [] };
    left -= JSON.stringify(kept).length;
    instances.push(kept);
  }
  const held = new Set(instances.map(({ id }) => id));
  const rows = data.benchmark.instances.map((row) => ({ ...row, detailed: held.has(row.id) }));
  return { ...data, benchmark: { ...data.benchmark, instances: rows }, instances };
}

/** The page of one instance, by the run of TestGRAD with most agents; null where there is none. */
export async function benchmarkInstancePage({
  instance,
  ...asked
}: Asked & { instance: string }): Promise<InstancePage | null> {
  const runs = await instanceRuns({ ...asked, plan: await planOf(asked) });
  const runId = runs.get(instance) ?? null;
  return runId === null ? null : pageOfRun({ ...asked, instanceId: instance, runId });
}

/** What a benchmark is, for the head of its page. */
export function benchmarkRun({
  record,
  plan,
  state,
}: {
  record: RunRecord;
  plan: BenchmarkPlan;
  state: PageRun['state'];
}): PageRun {
  const { runId, name, startedAt, model } = record;
  const { key, split, revision } = plan.dataset;
  const facts = [
    { name: 'Run', value: runId },
    { name: 'Dataset', value: datasetText({ name, key, split, revision }) },
    { name: 'Model', value: model },
    { name: 'Plan', value: `sha256 ${record.instance.digest}` },
    { name: 'Again', value: 'The same bench goes on with what is missing; what is done is not done again.' },
  ].map((fact) => ({ name: fact.name, value: safeLine(fact.value) }));
  return { id: runId, kind: 'bench', name: safeLine(`Benchmark ${name}`), state, startedAt, facts };
}

/** A dataset that is a file is known by its bytes, which says little to a person. */
function datasetText({ name, key, split, revision }: BenchmarkPlan['dataset'] & { readonly name: string }): string {
  const of = /^[0-9a-f]{64}$/.test(key) ? `${name} (sha256 ${key})` : key;
  return `${of}, split ${split}${revision === null ? '' : `, revision ${revision}`}`;
}

async function pageOfRun({
  home,
  store,
  instanceId,
  runId,
}: Asked & { instanceId: string; runId: string }): Promise<InstancePage | null> {
  const finished = await findFinished({ store, runId });
  if (finished === null) return null;
  const material = await finishedMaterial({ home, store, runId, finished });
  return instancePage({ ...material, id: instanceId });
}

/** The line of the table whose runs have pages: TestGRAD itself, else the first of its ablations; others decide otherwise. */
export function armWithPages({
  arms,
}: BenchmarkPlan): Extract<BenchmarkPlan['arms'][number], { kind: 'run' }> | undefined {
  const own = arms.filter((arm) => arm.kind === 'run').filter(({ method }) => method === 'testgrad');
  return own.find(({ ablation }) => ablation === null) ?? own[0];
}

/** Every instance with the run that has its page; null where the answer needs no run. */
async function instanceRuns({
  store,
  plan,
}: {
  store: ArtifactStore;
  plan: BenchmarkPlan;
}): Promise<ReadonlyMap<string, string | null>> {
  const arm = armWithPages(plan);
  const most = plan.sizes.at(-1);
  const runs = new Map<string, string | null>();
  for await (const instance of plannedInstances({ store, plan })) {
    const cells = arm === undefined ? [] : cellsOf({ instance, arms: [arm], sizes: plan.sizes });
    runs.set(instance.instanceId, cells.find(({ n }) => n === most)?.runId ?? null);
  }
  return runs;
}
