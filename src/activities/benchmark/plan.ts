import type { ArtifactStore } from '../../artifacts/store.js';
import type { ArtifactRef } from '../../core/artifact.js';
import { type Arm, type BenchmarkPlan, ITEMS_A_PAGE, type PlannedItem } from '../../core/benchmark-plan.js';
import { getDocument } from '../documents.js';

/** A plan, read page by page; the page read last is kept. */
export interface PlanReader {
  readonly plan: BenchmarkPlan;
  /** The item at this place; a defect of ours when there is none. */
  readonly item: (index: number) => Promise<PlannedItem>;
  /** The arm of this name. */
  readonly arm: (name: string) => Arm;
}

/** Opens a plan of the store. */
export async function openPlan({ store, ref }: { store: ArtifactStore; ref: ArtifactRef }): Promise<PlanReader> {
  const plan = await getDocument<BenchmarkPlan>({ store, ref });
  let page: { readonly number: number; readonly items: readonly PlannedItem[] } | null = null;
  return {
    plan,
    item: async (index) => {
      const number = Math.floor(index / ITEMS_A_PAGE);
      const pageRef = plan.itemPages[number];
      if (page?.number !== number && pageRef !== undefined) {
        page = { number, items: await getDocument<readonly PlannedItem[]>({ store, ref: pageRef }) };
      }
      const item = page?.number === number ? page.items[index % ITEMS_A_PAGE] : undefined;
      if (item === undefined) throw new Error(`The plan has no item ${index}.`);
      return item;
    },
    arm: (name) => {
      const arm = plan.arms.find((each) => each.name === name);
      if (arm === undefined) throw new Error(`The plan has no arm ${name}.`);
      return arm;
    },
  };
}
