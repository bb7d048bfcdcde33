import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { readItems } from '../datasets/read-items.js';
import type { KnownResult } from './known-results.js';
import type { PredictionSource } from './prediction.js';
import { idOf } from './prediction-row.js';

/** One result as a file states it. */
export interface ResultEntry {
  /** Named by the file itself, else null. */
  readonly agent: string | null;
  /** 0-based candidate of a row that holds several, else null. */
  readonly position: number | null;
  readonly instanceId: string;
  readonly result: KnownResult;
}

/** What a source states. */
export interface ReadResults {
  readonly entries: readonly ResultEntry[];
  /** What instances are that it does not name: a leaderboard's `results.json` names the resolved ones only. */
  readonly others: KnownResult;
}

/** Lists of a run's report (schema 2) and of a leaderboard's `results.json`, and what their ids are. */
const LISTS: Readonly<Record<string, KnownResult>> = {
  resolved: 'resolved',
  resolved_ids: 'resolved',
  unresolved_ids: 'unresolved',
  empty_patch_ids: 'unresolved',
  no_generation: 'unresolved',
  // No verdict: the patch did not apply, the container broke or the time was up.
  error_ids: 'unknown',
};

/**
 * Reads results: a run's report of the SWE-bench harness, a `report.json` of one or several instances, a leaderboard's
 * `results.json`, rows with `instance_id` and `resolved`, `{ID: true}`, `{AGENT: {ID: true}}`, Augment's and TRAE's
 * candidate files, or a folder with one of them (`results/results.json`, a run's report, `logs/ID/report.json`).
 *
 * Throws TG-I03 when there is nothing, TG-I07 when it holds no results.
 */
export async function readKnownResults(source: PredictionSource): Promise<ReadResults> {
  const files = await resultFiles(source);
  const entries: ResultEntry[] = [];
  let isLeaderboard = false;
  for (const path of files) {
    for await (const item of readItems({ path })) {
      if (item.kind === 'malformed') continue;
      isLeaderboard ||= item.key === 'resolved';
      entries.push(...entriesOf({ value: item.value, key: item.key }));
    }
  }
  if (entries.length === 0 && !isLeaderboard) throw nothing(source);
  return { entries, others: isLeaderboard ? 'unresolved' : 'unknown' };
}

function entriesOf({ value, key }: { value: unknown; key: string | null }): ResultEntry[] {
  if (Array.isArray(value)) {
    const result = key === null ? undefined : LISTS[key];
    const ids = result === undefined ? [] : value.filter((id) => typeof id === 'string');
    return ids.map((instanceId) => entry({ instanceId, result: result as KnownResult }));
  }
  if (typeof value === 'boolean' && key !== null) return [entry({ instanceId: key, result: resultOf(value) })];
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  const instanceId = idOf({ fields, key });
  if (instanceId !== null && typeof fields.resolved === 'boolean') {
    return [entry({ instanceId, result: resultOf(fields.resolved) })];
  }
  if (instanceId !== null && Array.isArray(fields.success_id)) {
    return candidates({ instanceId, outcomes: fields.success_id });
  }
  if (instanceId !== null && Array.isArray(fields.eval_outcomes)) {
    const outcomes = fields.eval_outcomes.map((outcome: { is_success?: unknown } | null) => outcome?.is_success);
    return candidates({ instanceId, outcomes });
  }
  if (key !== null && Object.values(fields).every((result) => typeof result === 'boolean')) {
    return Object.entries(fields).map(([id, result]) => ({
      ...entry({ instanceId: id, result: resultOf(result as boolean) }),
      agent: key,
    }));
  }
  return [];
}

function entry({ instanceId, result }: { instanceId: string; result: KnownResult }): ResultEntry {
  return { agent: null, position: null, instanceId, result };
}

function candidates({ instanceId, outcomes }: { instanceId: string; outcomes: readonly unknown[] }): ResultEntry[] {
  return outcomes.map((outcome, position) => ({
    agent: null,
    position,
    instanceId,
    result: outcome === 1 || outcome === 0 || typeof outcome === 'boolean' ? resultOf(Boolean(outcome)) : 'unknown',
  }));
}

const resultOf = (resolved: boolean): KnownResult => (resolved ? 'resolved' : 'unresolved');

async function resultFiles({ path, given }: PredictionSource): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new InputError({
      code: 'TG-I03',
      what: `--results ${given}: there is no such file or folder.`,
      meaning: 'Known results are read for scoring only.',
      fix: 'Check the path.',
    });
  }
  if (!found.isDirectory()) return [path];
  for (const name of ['results/results.json', 'results.json', 'report.json']) {
    if ((await stat(join(path, name)).catch(() => null)) !== null) return [join(path, name)];
  }
  const names = await readdir(path);
  // A run's report is called MODEL.RUN.json.
  const report = names.find((name) => /^(?!metadata|preds|all_preds).+\.json$/.test(name));
  if (report !== undefined) return [join(path, report)];
  const reports: string[] = [];
  for (const parent of [path, join(path, 'logs')]) {
    for (const entry of await readdir(parent, { withFileTypes: true }).catch(() => [])) {
      const file = join(parent, entry.name, 'report.json');
      if (entry.isDirectory() && (await stat(file).catch(() => null)) !== null) reports.push(file);
    }
  }
  return reports;
}

function nothing({ given }: Pick<PredictionSource, 'given'>): InputError {
  return new InputError({
    code: 'TG-I07',
    what: `--results ${given}: no results were found.`,
    meaning: 'Known results are read for scoring only.',
    fix: 'Name a report of the SWE-bench harness, a results.json, a file {"ID": true} or rows with instance_id and resolved.',
  });
}
