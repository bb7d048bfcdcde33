import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson } from '../../artifacts/values.js';
import { estimateRun, type WorkCount } from '../../core/benchmark-estimate.js';
import type { BenchmarkPlan, PlannedItem } from '../../core/benchmark-plan.js';
import { RESULT_KIND } from '../../core/benchmark-result.js';
import { priceOfModel } from '../../llm/prices.js';
import { type DryRun, renderDryRun } from '../../report/benchmark-estimate.js';
import type { Invocation } from '../invocation.js';
import type { BuiltBenchmark } from './build-benchmark.js';
import { DEFAULT_WIDTH, widthOf } from './start-benchmark.js';
import { plannedInstances } from './store-plan.js';

/** Counts what a benchmark would do and estimates what it costs; nothing is started. */
export async function printDryRun({
  invocation,
  store,
  built,
}: {
  invocation: Invocation;
  store: ArtifactStore;
  built: BuiltBenchmark;
}): Promise<number> {
  const { terminal, values, env } = invocation;
  const { plan } = built;
  const work = await countWork({ store, plan });
  const width = widthOf(invocation) ?? DEFAULT_WIDTH;
  const price = priceOfModel({ model: values.text('model') ?? '', override: env.TESTGRAD_PRICE });
  const dryRun: DryRun = {
    ...{ instances: plan.instances, agents: plan.agents.length, sizes: plan.sizes, width, work },
    images: await countImages({ store, plan }),
    estimate: estimateRun({ work, width, price }),
  };
  if (values.on('json')) terminal.json({ schema: 'testgrad.dry-run/1', ...dryRun, inputs: built.inputs.report });
  else terminal.out(renderDryRun({ dryRun, columns: terminal.columns }));
  return 0;
}

async function countWork({ store, plan }: { store: ArtifactStore; plan: BenchmarkPlan }): Promise<WorkCount[]> {
  const counts = new Map<string, { items: number; left: number }>();
  for (const ref of plan.itemPages) {
    for (const { arm, runId } of await getJson<readonly PlannedItem[]>({ store, ref })) {
      const count = counts.get(arm) ?? { items: 0, left: 0 };
      const isDone = (await store.lookup({ kind: RESULT_KIND, key: runId })) !== undefined;
      counts.set(arm, { items: count.items + 1, left: count.left + (isDone ? 0 : 1) });
    }
  }
  return plan.arms.flatMap((arm) =>
    arm.kind === 'run'
      ? [{ method: arm.method, arm: arm.name, ...(counts.get(arm.name) ?? { items: 0, left: 0 }) }]
      : [],
  );
}

async function countImages({ store, plan }: { store: ArtifactStore; plan: BenchmarkPlan }): Promise<number> {
  const images = new Set<string>();
  for await (const { source } of plannedInstances({ store, plan })) {
    if (source.kind === 'docker') images.add(source.image);
  }
  return images.size;
}
