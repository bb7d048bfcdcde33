import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChaosServer, startChaosServer } from '../chaos/chaos-server.js';
import { checkRun, type Ended } from '../chaos/check-run.js';
import { playRun } from '../chaos/play-run.js';
import type { Random } from '../chaos/random.js';
import type { Scene, Victim } from '../chaos/scene.js';
import { selectionScenes } from '../chaos/selections.js';
import { buildCli } from '../support/built-cli.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { SERVER_START_TIMEOUT_MS } from '../support/temporal-server.js';

let dir: string;
let server: ChaosServer;
let scene: Scene;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await buildCli();
  dir = await mkdtemp(join(tmpdir(), 'testgrad-server-'));
  server = await startChaosServer({ home: join(dir, 'server') });
  const scenes = await selectionScenes({ dir, server, python: await pythonWithPytest(), sandbox: 'none' });
  scene = scenes[0] as Scene;
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  for (const end of ends) await end();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Kills these, one after the other, each as soon as the run has got on. */
function inTurn(victims: readonly (readonly Victim[])[]): Random {
  const left = [...victims];
  return { between: (low) => low, pick: () => left.shift() as never };
}

async function play({ name, victims }: { name: string; victims: readonly (readonly Victim[])[] }) {
  const killed: Victim[] = [];
  const stage = await scene.stage({ name, ends });
  const played = await playRun({
    ...{ scene, stage, random: inTurn(victims), kills: victims.length, mayKill: () => true },
    onKill: (kill) => killed.push(...kill.victims),
  });
  const run: Ended = { played, outcome: await stage.outcome(played.result), requests: stage.model.requests };
  return { run, killed };
}

test('a local server that is killed, alone and with the worker, goes on from its file', async () => {
  const { run: undisturbed } = await play({ name: 'undisturbed', victims: [] });
  const { run, killed } = await play({ name: 'killed', victims: [['server'], ['worker', 'server'], ['server']] });
  expect(killed).toEqual(['server', 'worker', 'server', 'server']);
  expect(checkRun({ scene, run, undisturbed }).problems).toEqual([]);
}, 240_000);
