import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { activityAttempts } from '../support/histories.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { persevere } from './persevere.js';
import type { Random } from './random.js';
import type { Scene, Stage, Victim } from './scene.js';

/** From the first thing that a run achieves with its workers to the kill: about as long as an undisturbed run takes. */
const MOMENT_MS = 5_000;
const DOWN_MS = 2_000;
const LIMIT_MS = 40 * 60_000;

/** How a run went. */
export interface Played {
  /** The workflow's. */
  readonly result: unknown;
  readonly workerKills: number;
  /** Executions of an activity that ended without a result, by its name. */
  readonly interrupted: Readonly<Record<string, number>>;
}

/**
 * Plays a run to its end and kills, at most `kills` times, one of its workers, the server, the Docker daemon or several
 * of them. Between two kills it gets as far as something that lasts.
 */
export async function playRun({
  scene,
  stage,
  random,
  kills,
  mayKill,
  onKill,
}: {
  scene: Scene;
  stage: Stage;
  random: Random;
  kills: number;
  mayKill: () => boolean;
  onKill: (kill: { readonly victims: readonly Victim[]; readonly afterMs: number }) => void;
}): Promise<Played> {
  const startedMs = performance.now();
  const start = (): Promise<WorkerProcess> => persevere(() => stage.startWorker());
  const workers = await Promise.all(Array.from({ length: scene.workers }, start));
  const handle = await persevere(() => stage.startRun());
  let over = false;
  const result = resultOf(handle).finally(() => {
    over = true;
  });
  result.catch(() => undefined);
  let [left, workerKills] = [kills, 0];
  while (!over && left > 0 && mayKill()) {
    const before = await achieved(stage);
    while (!over && (await achieved(stage)) === before) await sleep(50);
    const victims = random.pick(scene.victims);
    const [momentMs, downMs] = [random.between(0, MOMENT_MS), random.between(0, DOWN_MS)];
    const at = Math.floor(random.between(0, workers.length));
    await Promise.race([sleep(momentMs), result.catch(() => undefined)]);
    if (over || !mayKill()) break;
    left -= 1;
    onKill({ victims, afterMs: performance.now() - startedMs });
    const back = Promise.all([
      victims.includes('server') ? stage.server.kill({ downMs }) : null,
      victims.includes('daemon') ? scene.daemon?.kill({ downMs }) : null,
    ]);
    back.catch(() => undefined);
    if (victims.includes('worker')) {
      await workers[at]?.end('SIGKILL');
      workerKills += 1;
      workers[at] = await start();
    }
    await back;
  }
  const ended = await result;
  await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  return { result: ended, workerKills, interrupted: await interruptedIn(stage) };
}

async function resultOf(handle: WorkflowHandle): Promise<unknown> {
  const untilMs = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await handle.result();
    } catch (error) {
      if (error instanceof WorkflowFailedError || performance.now() > untilMs) throw error;
      await sleep(300);
    }
  }
}

/** Grows with everything of a run that lasts. */
async function achieved({ home, model }: Stage): Promise<number> {
  const stored = await readdir(join(home, 'store'), { recursive: true }).catch(() => []);
  return stored.length + model.requests.length;
}

async function interruptedIn({ server, workflowIds }: Stage): Promise<Readonly<Record<string, number>>> {
  const sum: Record<string, number> = {};
  for (const id of workflowIds) {
    const history = await persevere(() => server.env.client.workflow.getHandle(id).fetchHistory());
    addTo({ sum, more: activityAttempts(history) });
  }
  return sum;
}

/** Adds counts to others of the same name. */
export function addTo({ sum, more }: { sum: Record<string, number>; more: Readonly<Record<string, number>> }): void {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
}
