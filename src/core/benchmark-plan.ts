import type { Ablation } from './ablation.js';
import type { ArtifactRef } from './artifact.js';
import type { Settings } from './settings.js';

/** A method that asks a model or executes something, in a workflow of its own. */
export type RunMethod = 'testgrad' | 'augment' | 'agentless' | 'trae' | 'pass-count';

/** A method that follows from the candidates and what is known of them, without a run. */
export type ComputedMethod = 'single' | 'random' | 'oracle' | 'adversary';

/** One line of a benchmark's table: a method, or TestGRAD with a part taken away. */
export type Arm =
  | {
      readonly kind: 'run';
      /** Names records and files: the method, or `testgrad-` and the ablation. */
      readonly name: string;
      readonly method: RunMethod;
      readonly ablation: Ablation | null;
      readonly settings: Settings;
    }
  | { readonly kind: 'computed'; readonly name: string; readonly method: ComputedMethod };

/** How an instance's repository and environment are had. */
export type InstanceSource =
  | {
      readonly kind: 'local';
      /** Absolute path of a working tree that has the base commit. */
      readonly git: string;
      /** Absolute path of the interpreter. */
      readonly python: string;
      /** Test command as it was given; `python` in it is the interpreter. */
      readonly testCommand: string;
      /** Import roots in the repository; empty for `src` with a package in it, else the root. */
      readonly pythonPath: readonly string[];
      readonly sandbox: 'bubblewrap' | 'none';
      /** Wall time of one test file. */
      readonly timeoutMs: number;
    }
  /** The official image, as the row names it or as it follows from the id. */
  | { readonly kind: 'docker'; readonly image: string; readonly timeoutMs: number };

/** What one agent has for an instance. */
export type PlannedSlot =
  | { readonly agent: string; readonly kind: 'patch'; readonly patch: ArtifactRef }
  /** `excluded`: text without a diff. */
  | { readonly agent: string; readonly kind: 'excluded'; readonly patch: ArtifactRef }
  | { readonly agent: string; readonly kind: 'empty' | 'missing' };

/** One instance of a benchmark. */
export interface PlannedInstance {
  readonly instanceId: string;
  /** A row of the dataset, as a selection may see it. */
  readonly row: ArtifactRef;
  readonly source: InstanceSource;
  /** In the order of agents that defines N. */
  readonly slots: readonly PlannedSlot[];
}

/** One piece of work: a run method on the candidates of an instance. */
export interface PlannedItem {
  /** Follows from the instance, the candidates, the method and its settings. */
  readonly runId: string;
  readonly instanceId: string;
  readonly arm: string;
  /** The first n agents; the largest n for which the candidates are these. */
  readonly n: number;
  /** A {@link PlannedInstance}. */
  readonly instance: ArtifactRef;
}

/** One number that a report needs: an arm on an instance with the first n agents. */
export interface PlannedCell {
  readonly instanceId: string;
  readonly arm: string;
  readonly n: number;
  /** Run that answers it, or null where the candidates answer it by themselves. */
  readonly runId: string | null;
}

/** A benchmark: everything that its results depend on. Stored; lists are in pages. */
export interface BenchmarkPlan {
  readonly schema: 'testgrad.benchmark-plan/1';
  /** Of the dataset, for people. */
  readonly name: string;
  readonly dataset: { readonly key: string; readonly split: string; readonly revision: string | null };
  /** In the order that defines N. */
  readonly agents: readonly string[];
  readonly arms: readonly Arm[];
  /** Numbers of agents, ascending. */
  readonly sizes: readonly number[];
  readonly instances: number;
  readonly items: number;
  /** Each a list of {@link PlannedInstance}, in the order in which they run. */
  readonly instancePages: readonly ArtifactRef[];
  /** Each a list of {@link PlannedItem}, {@link ITEMS_A_PAGE} of them but for the last. */
  readonly itemPages: readonly ArtifactRef[];
}

/** Items of a page; one is read at a time. */
export const ITEMS_A_PAGE = 100;

/** Slots with a patch that may be chosen, among the first n agents. */
export const patchSlots = ({ slots, n }: { slots: readonly PlannedSlot[]; n: number }) =>
  slots.slice(0, n).filter((slot) => slot.kind === 'patch');

/**
 * True where there is nothing to select: no patch, one, or only one and the same. Such cells need no run of any method
 * that selects.
 */
export function isSettled({ slots, n }: { slots: readonly PlannedSlot[]; n: number }): boolean {
  return new Set(patchSlots({ slots, n }).map(({ patch }) => patch.digest)).size < 2;
}

/**
 * Every cell of an instance, and the runs that answer them. Where the first n agents have the same patches as the first
 * n − 1 (one is missing or empty), one run answers both; the order is that of arms, the largest n first.
 */
export function planCells({
  instance,
  arms,
  sizes,
  runIdOf,
}: {
  instance: PlannedInstance;
  arms: readonly Arm[];
  sizes: readonly number[];
  /** Id of the run of an arm on these candidates. */
  runIdOf: (run: { readonly arm: Extract<Arm, { kind: 'run' }>; readonly n: number }) => string;
}): PlannedCell[] {
  const { instanceId, slots } = instance;
  const descending = [...sizes].sort((left, right) => right - left);
  return arms.flatMap((arm) =>
    descending.map((n): PlannedCell => {
      const isRun = arm.kind === 'run' && !isSettled({ slots, n });
      return { instanceId, arm: arm.name, n, runId: isRun ? runIdOf({ arm, n }) : null };
    }),
  );
}

/** The runs behind cells, each once, in the order in which they are first needed. */
export function itemsOf({
  cells,
  instance,
}: {
  cells: readonly PlannedCell[];
  /** The instance as it is stored. */
  instance: ArtifactRef;
}): PlannedItem[] {
  const items = new Map<string, PlannedItem>();
  for (const { runId, instanceId, arm, n } of cells) {
    if (runId !== null && !items.has(runId)) items.set(runId, { runId, instanceId, arm, n, instance });
  }
  return [...items.values()];
}
