import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fingerprint } from '../support/fingerprint.js';
import { processesOf } from '../support/processes.js';
import { checkRun, type Ended, type Repeats } from './check-run.js';
import { addTo, playRun } from './play-run.js';
import { randomFrom } from './random.js';
import type { Scene, Victim } from './scene.js';
import { type Kind, openScenes } from './scenes.js';

/** What a chaos came to. */
export interface ChaosResult {
  readonly runs: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly repeats: Repeats;
  /** Attempts at an activity that were cut off, by its name. */
  readonly interrupted: Readonly<Record<string, number>>;
  readonly lost: number;
}

/**
 * Plays runs, `lanes` at a time, and kills who works for them at moments that the seed chooses. No run is begun and
 * nobody is killed after `minutes`; what is in work then goes on to its end.
 */
export async function runChaos({
  minutes,
  seed,
  lanes,
  only,
  signal,
  tell,
}: {
  minutes: number;
  seed: number;
  lanes: number;
  /** Default: whatever this machine can. */
  only: Kind | undefined;
  /** Ends everything at once. */
  signal: AbortSignal;
  tell: (line: string) => void;
}): Promise<ChaosResult> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-chaos-'));
  const kills = { worker: 0, server: 0, daemon: 0 };
  const tally = { runs: 0, lost: 0 };
  const interrupted: Record<string, number> = {};
  const repeats = { asked: 0, counted: 0, executed: 0 };
  const ends = new Set<() => Promise<unknown>>();
  const opened = await openScenes({ dir, only, tell });

  /** Plays one run in a folder of its own. */
  const play = async (run: {
    readonly scene: Scene;
    readonly name: string;
    readonly random: ReturnType<typeof randomFrom>;
    readonly kills: number;
    readonly mayKill: () => boolean;
  }): Promise<Ended> => {
    const own: (() => Promise<unknown>)[] = [];
    const end = async (): Promise<void> => {
      for (const each of own) await each();
    };
    ends.add(end);
    try {
      const stage = await run.scene.stage({ name: run.name, ends: own });
      const played = await playRun({
        ...{ ...run, stage },
        onKill: ({ victims, afterMs }) => {
          for (const victim of victims) kills[victim] += 1;
          tell(`${run.name}: ${victims.join(' and ')} killed ${Math.round(afterMs / 1000)} s after its start`);
        },
      });
      return { played, outcome: await stage.outcome(played.result), requests: stage.model.requests };
    } finally {
      ends.delete(end);
      await end();
    }
  };

  /** Plays a run that is disturbed, and checks it against the other. */
  const disturb = async ({ scene, undisturbed, before }: Known, run: Omit<Parameters<typeof play>[0], 'scene'>) => {
    const startedMs = performance.now();
    const ended = await play({ scene, ...run });
    const { repeats: own, problems } = checkRun({ scene, run: ended, undisturbed });
    const isTouched = !isDeepStrictEqual(await printsOf(scene), before);
    tally.runs += 1;
    addTo({ sum: interrupted, more: ended.played.interrupted });
    for (const key of ['asked', 'counted', 'executed'] as const) repeats[key] += own[key];
    tell(
      `${run.name} (${scene.name}): ${ended.played.workerKills} workers killed, ${own.asked} calls repeated ` +
        `(${own.counted} counted), ${own.executed} test files executed again, ` +
        `${Math.round((performance.now() - startedMs) / 1000)} s`,
    );
    if (isTouched) problems.push('a repository changed');
    if (problems.length > 0) throw new Error(problems.join('; '));
  };

  try {
    const never = { kills: 0, random: randomFrom(0), mayKill: () => false };
    const known = await Promise.all(
      opened.scenes.map(async (scene, index): Promise<Known> => {
        const before = await printsOf(scene);
        return { scene, before, undisturbed: await play({ ...never, scene, name: `undisturbed-${index}` }) };
      }),
    );
    for (const { scene, undisturbed } of known)
      tell(`${scene.name}, undisturbed: ${undisturbed.requests.length} calls`);
    const untilMs = performance.now() + minutes * 60_000;
    const mayKill = (): boolean => !signal.aborted && performance.now() < untilMs;
    let begun = 0;
    const lane = async (): Promise<void> => {
      while (mayKill() && known.length > 0) {
        begun += 1;
        const name = `run-${begun}`;
        const random = randomFrom(seed * 100_003 + begun);
        const chosen = random.pick(known.map((each) => [each, 1] as const));
        const most = chosen.scene.mostKills;
        try {
          await disturb(chosen, { name, random, kills: Math.floor(random.between(most / 3, most + 1)), mayKill });
          await rm(join(dir, name), { recursive: true, force: true });
          await rm(join(dir, `${name}-server`), { recursive: true, force: true });
        } catch (error) {
          if (signal.aborted) return;
          tally.lost += 1;
          tell(`${name} (${chosen.scene.name}) is LOST: ${causeOf(error)}; see ${join(dir, name)}`);
        }
      }
    };
    const brokenOff = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([Promise.all(Array.from({ length: lanes }, lane)), brokenOff]);
  } finally {
    for (const end of ends) await end().catch(() => undefined);
    // A run that was broken off may just have been starting a worker.
    for (const pid of processesOf(`${dir}/run-`)) process.kill(pid, 'SIGKILL');
    await opened.close({ broken: signal.aborted });
    if (tally.lost === 0) await rm(dir, { recursive: true, force: true });
  }
  return { ...tally, kills, interrupted, repeats };
}

/** The innermost failure of a workflow. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause === undefined ? message : causeOf(cause);
}

/** A scene as it is without kills. */
interface Known {
  readonly scene: Scene;
  readonly undisturbed: Ended;
  /** Of its repositories, before anything was played. */
  readonly before: readonly Awaited<ReturnType<typeof fingerprint>>[];
}

const printsOf = ({ repositories }: Scene): Promise<Known['before']> => Promise.all(repositories.map(fingerprint));
