import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decision } from '../core/decision.js';
import type { Momentum } from '../core/failure-memory.js';
import type { Matrix } from '../core/matrix.js';
import type { LlmRole } from '../core/usage.js';
import { type InstanceMaterial, noMaterial } from './page-data-instance.js';

/**
 * What the folder of a finished run holds ({@link runFolderFiles}), or null where it has no `decision.json`. Files that are
 * missing or damaged are left out: a copied folder shows what it has. `id` names the instance in links.
 */
export async function readRunFolder({ dir, id }: { dir: string; id?: string }): Promise<InstanceMaterial | null> {
  const decision = await readJson<Decision>(join(dir, 'decision.json'));
  if (decision?.schema !== 'testgrad.decision/1') return null;
  const steps = await stepFolders(dir);
  const momenta = new Map<number, Momentum>();
  const suiteDiffs = new Map<number, string>();
  for (const step of steps) {
    const momentum = await readJson<Momentum>(join(dir, 'steps', `y${step}`, 'momentum.json'));
    if (momentum !== null) momenta.set(step, momentum);
    const diff = await readText(join(dir, 'steps', `y${step}`, 'suite.diff'));
    if (diff !== null && diff !== '') suiteDiffs.set(step, diff);
  }
  return {
    ...noMaterial({ id: id ?? decision.runId, runId: decision.runId, title: decision.instance }),
    decision,
    issue: await readText(join(dir, 'issue.md')),
    matrix: await readJson<Matrix>(join(dir, 'matrix.json')),
    patches: await candidatePatches({ dir, decision }),
    momenta,
    suiteDiffs,
    conversations: await conversations({ dir, steps }),
    testPatch: await readText(join(dir, 'deciding-test.diff')),
    winnerPatch: await readText(join(dir, 'winner.diff')),
  };
}

/** Steps that have a folder, in ascending order. */
async function stepFolders(dir: string): Promise<number[]> {
  const names = await readdir(join(dir, 'steps')).catch(() => []);
  const found = names.flatMap((name) => /^y(\d+)$/.exec(name)?.[1] ?? []);
  return found.map(Number).sort((left, right) => left - right);
}

async function candidatePatches({ dir, decision }: { dir: string; decision: Decision }): Promise<Map<string, string>> {
  const patches = new Map<string, string>();
  for (const { id, kind } of decision.candidates) {
    // Ids are ours, `c1` …; a name that leads elsewhere is not followed.
    if (kind !== 'usable' || !/^\w+$/.test(id)) continue;
    const text = await readText(join(dir, 'candidates', `${id}.diff`));
    if (text !== null) patches.set(id, text);
  }
  return patches;
}

async function conversations({
  dir,
  steps,
}: {
  dir: string;
  steps: readonly number[];
}): Promise<InstanceMaterial['conversations']> {
  const places: { role: LlmRole; step: number; file: string }[] = [
    ...steps.flatMap((step) => [
      { role: 'optimizer' as const, step, file: join('steps', `y${step}`, 'conversation.json') },
      { role: 'judge' as const, step, file: `judge-y${step}.json` },
    ]),
    { role: 'checker', step: 0, file: 'checker.json' },
    { role: 'selector', step: 0, file: 'selector-0.json' },
  ];
  const read = await Promise.all(
    places.map(async ({ role, step, file }) => ({
      role,
      step,
      conversation: await readJson<unknown>(join(dir, file)),
    })),
  );
  return read.filter(({ conversation }) => conversation !== null);
}

const readText = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

async function readJson<T>(file: string): Promise<T | null> {
  const text = await readText(file);
  try {
    // Written by us under a schema; what it says is shown as text, whatever it is.
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}
