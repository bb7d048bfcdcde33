import { join } from 'node:path';
import type { ArtifactStore } from '../artifacts/store.js';
import { getJson } from '../artifacts/values.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { BenchmarkProgress } from '../core/benchmark-progress.js';
import type { PreparedCandidate } from '../core/candidate.js';
import type { Momentum } from '../core/failure-memory.js';
import type { StepsSoFar } from '../core/loop-state.js';
import type { Matrix } from '../core/matrix.js';
import type { Progress } from '../core/progress.js';
import type { Suite } from '../core/suite.js';
import { TestgradError } from '../errors.js';
import type { InstancePage, PageData, PageListing, PageRun } from '../report/page-data.js';
import { readRunFolder } from '../report/page-data-folder.js';
import { type InstanceMaterial, instancePage, noMaterial } from '../report/page-data-instance.js';
import { safeLine } from '../report/safe-text.js';
import type { ViewerSource } from '../viewer/sources.js';
import { planOf } from './benchmark/find.js';
import { findFinishedBenchmark } from './benchmark/finish.js';
import { benchmarkInstancePage, benchmarkRun, finishedBenchmarkPage } from './benchmark/page.js';
import { findFinished } from './finished-run.js';
import {
  benchmarkData,
  dataOfPlace,
  factsOf,
  finishedMaterial,
  instanceOf,
  type NamedPlace,
  pageOf,
  textOf,
} from './report-material.js';
import { findRun, listRuns, type RunRecord } from './run-index.js';
import type { RunState } from './run-states.js';

/** What a server tells of a run in work; null for what it cannot tell. */
export interface LiveState {
  readonly state: RunState;
  readonly progress: Progress | null;
  readonly benchmarkProgress: BenchmarkProgress | null;
  readonly matrix: ArtifactRef | null;
  readonly momentum: ArtifactRef | null;
  /** Null before y_0 is scored. */
  readonly steps: StepsSoFar | null;
  /** Why something is not known; empty when all is. */
  readonly trouble: string;
}

/** The runs of a state folder; `live` asks the server about one that has no decision. */
export function stateFolderSource({
  home,
  cwd,
  store,
  live,
}: {
  home: string;
  /** Where paths of known results start from. */
  cwd: string;
  store: ArtifactStore;
  live: (record: RunRecord) => Promise<LiveState>;
}): ViewerSource {
  const recordOf = async (id: string): Promise<RunRecord | null> => {
    try {
      return await findRun({ home, reference: id });
    } catch (error) {
      if (error instanceof TestgradError && error.code === 'TG-R05') return null;
      throw error;
    }
  };
  return {
    runs: async () =>
      Promise.all((await listRuns({ home })).map((record) => listing({ home, cwd, store, record, live }))),
    run: async (id) => {
      const record = await recordOf(id);
      return record === null ? null : runData({ home, cwd, store, record, live });
    },
    instance: async ({ run, instance }) => {
      const record = await recordOf(run);
      return record?.kind === 'bench' ? benchmarkInstancePage({ home, cwd, store, record, instance }) : null;
    },
  };
}

/** A folder or file that was named, read anew for every question. */
export function placeSource(place: NamedPlace): ViewerSource {
  const data = (): Promise<PageData> =>
    place.kind === 'benchmark' ? benchmarkData({ ...place, id: 'benchmark' }) : dataOfPlace(place);
  return {
    runs: async () => {
      const { run, instances } = await data();
      const [first] = instances;
      const { id, kind, name, state, startedAt } = run;
      const outcome = first?.outcome?.kind ?? '';
      return [{ id, kind, name, state, startedAt, outcome, selected: first?.outcome?.selected ?? null }];
    },
    run: data,
    instance: async ({ instance }): Promise<InstancePage | null> => {
      if (place.kind !== 'benchmark' || place.dir === null || !/^[\w.-]+$/.test(instance) || /^\.+$/.test(instance)) {
        return null;
      }
      const material = await readRunFolder({ dir: join(place.dir, 'instances', instance), id: instance });
      return material === null ? null : instancePage(material);
    },
  };
}

interface Asked {
  readonly home: string;
  readonly cwd: string;
  readonly store: ArtifactStore;
  readonly record: RunRecord;
  readonly live: (record: RunRecord) => Promise<LiveState>;
}

async function listing({ store, record, live }: Asked): Promise<PageListing> {
  const { runId, kind, name, startedAt } = record;
  const common = { id: runId, kind, name: safeLine(name), startedAt };
  if (kind === 'bench' && (await findFinishedBenchmark({ store, runId })) !== null) {
    return { ...common, state: 'finished', outcome: '', selected: null };
  }
  const finished = await findFinished({ store, runId });
  if (finished !== null) {
    const { kind: outcome, selected } = finished.decision;
    return { ...common, state: 'finished', outcome, selected: selected === null ? null : safeLine(selected) };
  }
  return { ...common, state: (await live(record)).state, outcome: '', selected: null };
}

async function benchData({ home, cwd, store, record, live }: Asked): Promise<PageData> {
  const end = await findFinishedBenchmark({ store, runId: record.runId });
  if (end !== null) return finishedBenchmarkPage({ home, cwd, store, record, end });
  const { state, benchmarkProgress, trouble } = await live(record);
  return pageOf({
    run: benchmarkRun({ record, plan: await planOf({ store, record }), state }),
    page: null,
    benchmarkProgress,
    trouble,
  });
}

async function runData(asked: Asked): Promise<PageData> {
  const { home, store, record, live } = asked;
  const { runId, kind, name, startedAt } = record;
  if (kind === 'bench') return benchData(asked);
  const instance = await instanceOf({ store, digest: record.instance.digest });
  const run = (state: PageRun['state']): PageRun => ({
    id: runId,
    kind,
    name: safeLine(name),
    state,
    startedAt,
    facts: factsOf({ record, instance }),
  });
  const finished = await findFinished({ store, runId });
  if (finished !== null) {
    return pageOf({
      run: run('finished'),
      page: instancePage(await finishedMaterial({ home, store, runId, finished })),
    });
  }
  const { state, progress, matrix, momentum, steps, trouble } = await live(record);
  const page = instancePage({
    ...noMaterial({ id: runId, runId, title: name }),
    issue: instance?.issue ?? null,
    candidates: (progress?.candidates ?? []).map(asCandidate),
    leaders: progress?.leaders ?? [],
    ...(steps === null ? {} : await stepsMaterial({ store, steps })),
    matrix: await loaded<Matrix>({ store, ref: matrix }),
    // Steps tell of it themselves.
    momentum: steps === null ? await loaded<Momentum>({ store, ref: momentum }) : null,
  });
  return pageOf({ run: run(state), page, progress, trouble });
}

/** The time line of a run in work, as far as this machine's store has what it refers to. */
async function stepsMaterial({
  store,
  steps: { candidates, steps, usage, suite, momenta },
}: {
  store: ArtifactStore;
  steps: StepsSoFar;
}): Promise<Pick<InstanceMaterial, 'candidates' | 'steps' | 'usage' | 'suite' | 'momenta' | 'patches'>> {
  const failed = steps.filter(({ rawMemoryTokens }) => rawMemoryTokens > 0);
  const mined = await Promise.all(momenta.map((ref) => loaded<Momentum>({ store, ref })));
  const usable = candidates.filter((candidate) => candidate.kind === 'usable');
  const patches = await Promise.all(
    usable.map(async ({ id, sourcePatch }) => [id, await textOf({ store, digest: sourcePatch.digest })] as const),
  );
  return {
    ...{ candidates, steps, usage },
    suite: await loaded<Suite>({ store, ref: suite }),
    momenta: new Map(failed.flatMap(({ step }, at) => (mined[at] ? [[step, mined[at]] as const] : []))),
    patches: new Map(patches.flatMap(([id, patch]) => (patch === null ? [] : [[id, patch] as const]))),
  };
}

async function loaded<T>({ store, ref }: { store: ArtifactStore; ref: ArtifactRef | null }): Promise<T | null> {
  return ref === null || !(await store.has(ref)) ? null : getJson<T>({ store, ref });
}

/** A candidate of a run in work, of which no more is told than its name. */
function asCandidate({ id, agent }: { id: string; agent: string }): PreparedCandidate {
  const nothing = { digest: '', bytes: 0, mediaType: 'text/x-diff' };
  return {
    ...{ kind: 'usable', id, agent, label: '', treeId: id, sameAs: id, sourcePatch: nothing },
    ...{ changedFiles: [], setAside: [], added: 0, removed: 0 },
  };
}
