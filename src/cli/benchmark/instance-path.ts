import type { ArtifactStore } from '../../artifacts/store.js';
import type { BenchmarkPlan, PlannedInstance } from '../../core/benchmark-plan.js';
import { counted } from '../../core/counted.js';
import { ResultError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import { closeNames, perhaps } from '../close-names.js';
import type { RunRecord } from '../run-index.js';
import { armWithPages } from './page.js';
import { plannedInstances } from './store-plan.js';

/** What a path below a benchmark names. */
export interface NamedInstance {
  readonly instance: PlannedInstance;
  /** Line of the table, and number of agents. */
  readonly arm: string;
  readonly n: number;
  /** True when the path names the method. */
  readonly given: boolean;
  /** Step, test or candidate; empty for the selection itself. */
  readonly part: string;
}

/**
 * Reads `INSTANCE[/METHOD[.nN]][/PART]`. Without a method it is TestGRAD's selection, else that of the first method; without
 * N that with most agents. Throws TG-R05 for an instance that is not in the plan, with those that come close.
 */
export async function namedInstance({
  store,
  run,
  plan,
  path,
}: {
  store: ArtifactStore;
  run: RunRecord;
  plan: BenchmarkPlan;
  path: string;
}): Promise<NamedInstance> {
  const known: string[] = [];
  for await (const instance of plannedInstances({ store, plan })) {
    const { instanceId } = instance;
    if (path === instanceId || path.startsWith(`${instanceId}/`)) {
      return { instance, ...cellNamed({ plan, rest: path.slice(instanceId.length + 1) }) };
    }
    known.push(instanceId);
  }
  const [name = path] = path.split('/');
  const close = closeNames({ name, known });
  throw new ResultError({
    code: 'TG-R05',
    what: `Benchmark ${shortRunId(run.runId)} (${run.name}) has no instance ${JSON.stringify(name)}.${perhaps(close)}`,
    meaning: 'There is nothing to show.',
    fix: `It has ${counted(known.length, 'instance')}: testgrad report ${shortRunId(run.runId)} --format csv lists them.`,
  });
}

function cellNamed({ plan, rest }: { plan: BenchmarkPlan; rest: string }): Omit<NamedInstance, 'instance'> {
  const most = plan.sizes.at(-1) ?? 0;
  const [first = '', ...others] = rest.split('/');
  const [, name = '', size] = /^(.+?)(?:\.n(\d+))?$/.exec(first) ?? [];
  const n = size === undefined ? most : Number(size);
  // Methods come first: a candidate of the same name can be given by its id.
  if (plan.arms.some((arm) => arm.name === name) && plan.sizes.includes(n)) {
    return { arm: name, n, given: true, part: others.join('/') };
  }
  const arm = armWithPages(plan) ?? plan.arms.find(({ kind }) => kind === 'run') ?? plan.arms[0];
  return { arm: arm?.name ?? '', n: most, given: false, part: rest };
}
