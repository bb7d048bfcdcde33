import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ArtifactRef } from '../core/artifact.js';
import type { InstanceSpec } from '../core/instance.js';
import type { Settings } from '../core/settings.js';
import { STATE_FOLDERS } from '../core/state-folder.js';
import { ResultError } from '../errors.js';
import { runFolder } from './places.js';
import { type InstanceRunKind, workflowIdOf } from './run-identity.js';

const runRecord = z.object({
  schema: z.literal('testgrad.run/1'),
  runId: z.string().regex(/^[0-9a-f]{12}$/),
  kind: z.enum(['select', 'matrix', 'bench']),
  workflowId: z.string(),
  /** The instance's name; of a benchmark that of its dataset. */
  name: z.string(),
  /** The InstanceSpec; of a benchmark its plan. */
  instance: z.object({ digest: z.string(), bytes: z.number(), mediaType: z.string() }),
  model: z.string(),
  /** Of a benchmark 0 for no limit. */
  maxTokens: z.number(),
  taskQueue: z.string(),
  /** ISO 8601, when its workflow was started. */
  startedAt: z.string(),
  /** ISO 8601, when a command last started, attached to or answered it: `last` is the newest. */
  usedAt: z.string(),
  /** Of a benchmark: `NAME=PATH` of known results, absolute. */
  results: z.array(z.string()).optional(),
});

/** What the command line remembers about a run that it started. */
export type RunRecord = z.infer<typeof runRecord>;

const recordFile = ({ home, runId }: { home: string; runId: string }): string =>
  join(runFolder({ home, runId }), 'run.json');

/** A run with its inputs, as commands make it. */
export interface KnownRun {
  readonly kind: InstanceRunKind;
  readonly runId: string;
  readonly instance: InstanceSpec;
  readonly instanceRef: ArtifactRef;
  readonly settings: Settings;
}

async function readRecord(file: string): Promise<RunRecord | null> {
  try {
    return runRecord.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Remembers a run as the one that was used last. `startedAt` and `taskQueue` of a run that is not started now are kept
 * as they were remembered.
 */
export async function rememberRun({
  home,
  run,
  start,
}: {
  home: string;
  run: KnownRun;
  /** Null when the run was only answered. */
  start: { readonly taskQueue: string; readonly startedAt: Date } | null;
}): Promise<RunRecord> {
  const { kind, runId, instance, instanceRef, settings } = run;
  return keepRecord({
    home,
    start,
    about: {
      kind,
      runId,
      name: instance.name,
      instance: instanceRef,
      model: settings.model,
      maxTokens: settings.maxTokens,
    },
  });
}

/** {@link rememberRun} of a run of any kind. */
export async function keepRecord({
  home,
  about,
  start,
}: {
  home: string;
  about: Pick<RunRecord, 'kind' | 'runId' | 'name' | 'instance' | 'model' | 'maxTokens' | 'results'>;
  start: { readonly taskQueue: string; readonly startedAt: Date } | null;
}): Promise<RunRecord> {
  const { kind, runId } = about;
  const file = recordFile({ home, runId });
  const before = await readRecord(file);
  const usedAt = new Date().toISOString();
  const record: RunRecord = {
    schema: 'testgrad.run/1',
    ...about,
    ...(about.results === undefined && before?.results !== undefined ? { results: before.results } : {}),
    workflowId: workflowIdOf({ kind, runId }),
    taskQueue: start?.taskQueue ?? before?.taskQueue ?? '',
    startedAt: start?.startedAt.toISOString() ?? before?.startedAt ?? usedAt,
    usedAt,
  };
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`);
  await rename(draft, file);
  return record;
}

/** All remembered runs, the one used last first; records that cannot be read are left out. */
export async function listRuns({ home }: { home: string }): Promise<RunRecord[]> {
  const names = await readdir(join(home, STATE_FOLDERS.runs)).catch(() => []);
  const records = await Promise.all(names.map((runId) => readRecord(recordFile({ home, runId }))));
  return records
    .filter((record) => record !== null)
    .sort((left, right) => right.usedAt.localeCompare(left.usedAt) || left.runId.localeCompare(right.runId));
}

/**
 * The run that `reference` names: an id, a beginning that only one run has, or `last` for the one used last.
 * Throws TG-R05 for none and for several.
 */
export async function findRun({ home, reference }: { home: string; reference: string }): Promise<RunRecord> {
  const runs = await listRuns({ home });
  const wanted = reference.toLowerCase();
  const matches = wanted === 'last' ? runs.slice(0, 1) : runs.filter(({ runId }) => runId.startsWith(wanted));
  const [found] = matches;
  if (found !== undefined && matches.length === 1) return found;
  const shown = matches.slice(0, 5).map(({ runId, name }) => `${runId} (${name})`);
  throw new ResultError({
    code: 'TG-R05',
    what:
      found === undefined
        ? wanted === 'last'
          ? `There is no run in ${home} yet.`
          : `No run in ${home} begins with ${JSON.stringify(reference)}.`
        : `${matches.length} runs begin with ${JSON.stringify(reference)}: ${shown.join(', ')}.`,
    meaning: 'Nothing was changed.',
    fix:
      found === undefined
        ? 'testgrad status lists the runs; --home names another state folder.'
        : 'Give more of the id.',
  });
}
