import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import { patchSlots } from '../../core/benchmark-plan.js';
import type { BenchmarkEnd, BenchmarkResults } from '../../core/benchmark-result.js';
import { benchmarkSummary } from '../../core/metrics/benchmark-summary.js';
import type { InstanceRecord } from '../../core/metrics/record.js';
import { renderBenchmarkCsv, renderBenchmarkMarkdown } from '../../report/benchmark-render.js';
import { type BenchmarkReport, benchmarkReport } from '../../report/benchmark-report.js';
import type { EndedWithError } from '../../report/page-data-benchmark.js';
import { normalisePatch } from '../../repository/normalise-patch.js';
import { openRowWriter, type RowWriter } from '../../swebench/datasets/row-writer.js';
import { patchString } from '../../swebench/predictions/patch-string.js';
import { type Known, type ScoredCell, scoredCells } from './records.js';
import { plannedInstances } from './store-plan.js';

/** A finished benchmark, scored and written. */
export interface WrittenBenchmark {
  readonly report: BenchmarkReport | null;
  readonly records: readonly InstanceRecord[];
  readonly errors: readonly EndedWithError[];
  readonly folder: string;
  /** Predictions that a rule of last resort chose, as nothing was selected. */
  readonly fallbacks: number;
  /** Cells of the plan that have no answer. */
  readonly missing: number;
}

/** What a line of a file of fallbacks says. */
interface FallbackLine {
  readonly instance_id: string;
  readonly method: string;
  readonly n: number;
  readonly agent: string;
  readonly reason: string;
}

const PUBLIC_MODE = 0o644;

/**
 * Writes the files of a benchmark into `folder`: predictions for the official harness by method and N, records, errors,
 * fallbacks, the report and its tables. Files are replaced whole; the same results give the same files.
 */
export async function writeBenchmark({
  store,
  plan,
  end,
  known,
  folder,
}: {
  store: ArtifactStore;
  plan: BenchmarkPlan;
  end: BenchmarkEnd;
  known: Known;
  folder: string;
}): Promise<WrittenBenchmark> {
  const results = await getJson<BenchmarkResults>({ store, ref: end.results });
  const writers = new Map<string, RowWriter>();
  const writer = async (name: string): Promise<RowWriter> => {
    const open = writers.get(name) ?? (await openRowWriter({ path: join(folder, name), mode: PUBLIC_MODE }));
    writers.set(name, open);
    return open;
  };
  const records: InstanceRecord[] = [];
  const errors: EndedWithError[] = [];
  const expected: string[] = [];
  let fallbacks = 0;
  try {
    // Files that have no row are there all the same: nobody has to wonder.
    for (const name of ['preds.jsonl', 'records.jsonl', 'errors.jsonl', 'fallbacks.jsonl']) await writer(name);
    for await (const { instanceId } of plannedInstances({ store, plan })) expected.push(instanceId);
    for await (const cell of scoredCells({ store, plan, results, known })) {
      records.push(cell.record);
      await (await writer('records.jsonl')).write(cell.record);
      if (cell.error !== null) {
        const line = errorLine({ cell, error: cell.error });
        errors.push(line);
        await (await writer('errors.jsonl')).write(line);
      }
      if (cell.arm.kind === 'computed') continue;
      const { row, fallback } = await prediction({ store, cell, plan });
      if (fallback !== null) {
        fallbacks += 1;
        await (await writer('fallbacks.jsonl')).write(fallback);
      }
      if (row === null) continue;
      for (const name of predictionFiles({ cell, plan })) await (await writer(name)).write(row);
    }
    for (const open of writers.values()) await open.finish();
  } finally {
    for (const open of writers.values()) await open.discard();
  }
  const report = reportOf({ plan, records, expected });
  await writeReport({ report, folder });
  const cells = expected.length * plan.arms.length * plan.sizes.length;
  return { report, records, errors, folder, fallbacks, missing: cells - records.length };
}

/** `preds.jsonl` is that of the first method with most agents; all have one of their own. */
function predictionFiles({ cell, plan }: { cell: ScoredCell; plan: BenchmarkPlan }): string[] {
  const first = plan.arms.find(({ kind }) => kind === 'run');
  const isMain = cell.arm.name === first?.name && cell.n === plan.sizes.at(-1);
  return [join('preds', `${cell.arm.name}.n${cell.n}.jsonl`), ...(isMain ? ['preds.jsonl'] : [])];
}

/** A prediction that the official harness reads; where nothing was selected, of the first candidate that has a patch. */
async function prediction({
  store,
  cell,
  plan,
}: {
  store: ArtifactStore;
  cell: ScoredCell;
  plan: BenchmarkPlan;
}): Promise<{ row: Record<string, string> | null; fallback: FallbackLine | null }> {
  const { instance, record, n, arm, reason } = cell;
  const chosen = record.chosen === null ? undefined : instance.slots[record.chosen];
  const patches = patchSlots({ slots: instance.slots, n });
  // Those that could not be applied come last.
  const usable = patches.filter(({ agent }) =>
    record.candidates.some((each) => each.agent === agent && each.state === 'usable'),
  );
  const slot = chosen?.kind === 'patch' ? chosen : (usable[0] ?? patches[0]);
  if (slot === undefined) return { row: null, fallback: null };
  const isFallback = slot !== chosen;
  const model = `testgrad-${arm.name}${plan.sizes.length === 1 ? '' : `-n${n}`}`.replace(
    'testgrad-testgrad',
    'testgrad',
  );
  return {
    row: {
      instance_id: instance.instanceId,
      model_name_or_path: model,
      model_patch: await patchText({ store, patch: slot.patch }),
    },
    fallback: isFallback
      ? {
          instance_id: instance.instanceId,
          method: arm.name,
          n,
          agent: slot.agent,
          reason: `${record.decidedBy}: ${reason}`,
        }
      : null,
  };
}

/** The patch as given, without text around it. */
async function patchText({ store, patch }: { store: ArtifactStore; patch: ArtifactRef }): Promise<string> {
  const bytes = await store.get(patch);
  const normalised = normalisePatch({ bytes });
  return patchString(normalised.kind === 'patch' ? normalised.bytes : bytes);
}

const errorLine = ({ cell, error }: { cell: ScoredCell; error: NonNullable<ScoredCell['error']> }) => ({
  instance_id: cell.instance.instanceId,
  method: cell.arm.name,
  n: cell.n,
  run: cell.runId,
  ...error,
});

function reportOf({
  plan,
  records,
  expected,
}: {
  plan: BenchmarkPlan;
  records: readonly InstanceRecord[];
  expected: readonly string[];
}): BenchmarkReport | null {
  const n = plan.sizes.at(-1);
  const reference = plan.arms.find(({ name }) =>
    records.some((record) => record.method === name && record.candidates.length === n),
  );
  if (reference === undefined || n === undefined) return null;
  return benchmarkReport(benchmarkSummary({ records, expected, reference: reference.name, n }));
}

async function writeReport({ report, folder }: { report: BenchmarkReport | null; folder: string }): Promise<void> {
  const tables = join(folder, 'tables');
  await rm(tables, { recursive: true, force: true });
  if (report === null) return;
  await mkdir(tables, { recursive: true });
  await writeFile(join(folder, 'report.md'), renderBenchmarkMarkdown(report));
  for (const table of report.tables) await writeFile(join(tables, `${table.id}.csv`), renderBenchmarkCsv(table));
}
