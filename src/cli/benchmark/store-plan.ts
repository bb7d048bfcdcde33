import { contentKey } from '../../artifacts/content-key.js';
import type { ArtifactStore } from '../../artifacts/store.js';
import { getJson, putJson } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import {
  type Arm,
  type BenchmarkPlan,
  ITEMS_A_PAGE,
  itemsOf,
  type PlannedCell,
  type PlannedInstance,
  type PlannedItem,
  patchSlots,
  planCells,
} from '../../core/benchmark-plan.js';

/** Instances of a page. */
const INSTANCES_A_PAGE = 50;

/** Id of the run of a method on candidates: twelve hexadecimal digits that follow from all that may change its answer. */
export function itemRunId({
  instance,
  arm,
  n,
}: {
  instance: PlannedInstance;
  arm: Extract<Arm, { kind: 'run' }>;
  n: number;
}): string {
  const { instanceId, row, source, slots } = instance;
  const candidates = patchSlots({ slots, n }).map(({ agent, patch }) => ({ agent, patch: patch.digest }));
  const { method, settings } = arm;
  return contentKey({ kind: 'item', instanceId, row: row.digest, source, candidates, method, settings }).slice(0, 12);
}

/** The cells of an instance with the runs that answer them; as the plan was made, so that nobody needs to keep them. */
export const cellsOf = ({
  instance,
  arms,
  sizes,
}: {
  instance: PlannedInstance;
  arms: readonly Arm[];
  sizes: readonly number[];
}): PlannedCell[] => planCells({ instance, arms, sizes, runIdOf: (run) => itemRunId({ instance, ...run }) });

/**
 * Stores a plan page by page: the same instances, arms and sizes give the same plan. Memory stays at a page and the ids of
 * items.
 */
export async function storePlan({
  store,
  about,
  instances,
}: {
  store: ArtifactStore;
  about: Pick<BenchmarkPlan, 'name' | 'dataset' | 'agents' | 'arms' | 'sizes'>;
  instances: AsyncIterable<PlannedInstance> | Iterable<PlannedInstance>;
}): Promise<{ readonly plan: BenchmarkPlan; readonly ref: ArtifactRef }> {
  const { arms, sizes } = about;
  const [instancePages, itemPages]: [ArtifactRef[], ArtifactRef[]] = [[], []];
  let page: PlannedInstance[] = [];
  let items: PlannedItem[] = [];
  const counts = { instances: 0, items: 0 };
  const flush = async (): Promise<void> => {
    if (page.length > 0) instancePages.push(await putJson({ store, value: page }));
    page = [];
  };
  for await (const instance of instances) {
    page.push(instance);
    counts.instances += 1;
    if (page.length === INSTANCES_A_PAGE) await flush();
    const ref = await putJson({ store, value: instance });
    const own = itemsOf({ cells: cellsOf({ instance, arms, sizes }), instance: ref });
    items.push(...own);
    counts.items += own.length;
    while (items.length >= ITEMS_A_PAGE) {
      itemPages.push(await putJson({ store, value: items.slice(0, ITEMS_A_PAGE) }));
      items = items.slice(ITEMS_A_PAGE);
    }
  }
  await flush();
  if (items.length > 0) itemPages.push(await putJson({ store, value: items }));
  const plan: BenchmarkPlan = { schema: 'testgrad.benchmark-plan/1', ...about, ...counts, instancePages, itemPages };
  return { plan, ref: await putJson({ store, value: plan }) };
}

/** The instances of a plan, in the order in which they run; memory holds a page. */
export async function* plannedInstances({
  store,
  plan,
}: {
  store: ArtifactStore;
  plan: Pick<BenchmarkPlan, 'instancePages'>;
}): AsyncGenerator<PlannedInstance> {
  for (const ref of plan.instancePages) yield* await getJson<readonly PlannedInstance[]>({ store, ref });
}
