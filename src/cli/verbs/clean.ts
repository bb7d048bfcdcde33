import { join } from 'node:path';
import { STATE_FOLDERS } from '../../core/state-folder.js';
import { cut } from '../../report/columns.js';
import { safeLine } from '../../report/safe-text.js';
import { sizeText } from '../../report/size-text.js';
import { dockerItems } from '../clean/docker-items.js';
import { planClean, type Removable, sizeOf } from '../clean/plan-clean.js';
import { removeAll } from '../clean/remove.js';
import type { Invocation } from '../invocation.js';
import { cacheFolder, homeFolder, openStore } from '../places.js';
import { listRuns } from '../run-index.js';
import { listedRun, type RunState, serverStates } from '../run-states.js';
import { openSession } from '../session.js';

const DEFAULT_DAYS = 30;

/**
 * `testgrad clean`: lists what could be removed, and removes it with --yes. Resolves to 1 when something could not be
 * removed.
 */
export async function clean(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const home = homeFolder(invocation);
  // Planned and removed in one go, so that a run that starts meanwhile has little time to come between.
  const { busy, olderThanDays, items } = await planFor({ invocation, home });
  const docker = await dockerItems({ busy, olderThanDays });
  const plan = [...items, ...docker.items];
  const removed = values.on('yes') ? [...(await removeAll(items)), ...(await docker.remove())] : [];
  const failed = removed.filter(({ problem }) => problem !== '');
  const bytes = plan.reduce((sum, item) => sum + item.bytes, 0);
  if (values.on('json')) {
    const problems = new Map(failed.map(({ item, problem }) => [item.path, problem]));
    terminal.json({
      schema: 'testgrad.clean/1',
      removed: values.on('yes'),
      bytes,
      items: plan.map((item) => ({ ...item, problem: problems.get(item.path) ?? null })),
    });
    return failed.length > 0 ? 1 : 0;
  }
  for (const item of plan) terminal.out(cut({ text: lineOf(item), columns: terminal.columns }));
  for (const { item, problem } of failed) terminal.note(`${item.path} stays: ${safeLine(problem)}`);
  const store = await sizeOf(join(home, STATE_FOLDERS.store));
  terminal.out(
    plan.length === 0
      ? 'There is nothing to remove.'
      : `${plan.length} things, ${sizeText(bytes)}${values.on('yes') ? ' removed' : ': testgrad clean --yes removes them'}.`,
  );
  if (store > 0)
    terminal.note(`The store (${sizeText(store)}) stays: it holds what was paid, and answers a select again.`);
  return failed.length > 0 ? 1 : 0;
}

const lineOf = ({ kind, name, bytes, reason }: Removable): string =>
  `${kind.padEnd(9)}  ${sizeText(bytes).padStart(7)}  ${cut({ text: safeLine(name), columns: 40 }).padEnd(40)}  ${reason}`;

interface Plan {
  /** True when a run is in work, or when that cannot be known. */
  readonly busy: boolean;
  readonly olderThanDays: number;
  readonly items: readonly Removable[];
}

async function planFor({ invocation, home }: { invocation: Invocation; home: string }): Promise<Plan> {
  const { values, terminal } = invocation;
  const server = await askServer({ invocation, home });
  const states: ReadonlyMap<string, RunState> = server.kind === 'answers' ? server.states : new Map();
  const store = await openStore(home);
  const runs = await Promise.all(
    (await listRuns({ home })).map(async (record) => {
      const { state } = await listedRun({ record, store, states });
      // A server that answers and does not know a run has forgotten it, long after its end.
      return { record, state: server.kind === 'answers' && state === 'unknown' ? ('failed' as const) : state };
    }),
  );
  const working = [...states.values(), ...runs.map(({ state }) => state)].includes('running');
  const busy = server.kind === 'silent' || working;
  if (server.kind === 'silent') terminal.note('Temporal does not answer, so what is in work is not known.');
  const olderThanDays = values.count('olderThan') ?? DEFAULT_DAYS;
  const cacheDir = cacheFolder(invocation);
  const items = await planClean({ home, cacheDir, runs, busy, olderThanDays, nowMs: Date.now() });
  return { busy, olderThanDays, items };
}

/** What the server says about runs. `stopped`: the local one does not run, so nothing is in work under it. */
type ServerAnswer =
  | { readonly kind: 'answers'; readonly states: ReadonlyMap<string, RunState> }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'silent' };

async function askServer({ invocation, home }: { invocation: Invocation; home: string }): Promise<ServerAnswer> {
  try {
    const session = await openSession({ invocation, home, start: false });
    if (session === null) {
      const { stackStatus } = await import('../../workers/local-stack.js');
      const { server } = await stackStatus({ home });
      return { kind: server?.state === 'silent' ? 'silent' : 'stopped' };
    }
    try {
      return { kind: 'answers', states: await serverStates({ session }) };
    } finally {
      await session.connected.close();
    }
  } catch {
    return { kind: 'silent' };
  }
}
