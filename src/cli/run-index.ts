import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ResultError } from '../errors.js';
import { runFolder } from './places.js';

const runRecord = z.object({
  schema: z.literal('testgrad.run/1'),
  runId: z.string().regex(/^[0-9a-f]{12}$/),
  kind: z.enum(['select', 'matrix']),
  workflowId: z.string(),
  /** The instance's name. */
  name: z.string(),
  instance: z.object({ digest: z.string(), bytes: z.number(), mediaType: z.string() }),
  model: z.string(),
  maxTokens: z.number(),
  taskQueue: z.string(),
  /** ISO 8601, when it was last started. */
  startedAt: z.string(),
});

/** What the command line remembers about a run that it started. */
export type RunRecord = z.infer<typeof runRecord>;

const recordFile = ({ home, runId }: { home: string; runId: string }): string =>
  join(runFolder({ home, runId }), 'run.json');

/** Remembers a run; replaces what was remembered about it. */
export async function rememberRun({ home, record }: { home: string; record: RunRecord }): Promise<void> {
  const file = recordFile({ home, runId: record.runId });
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`);
  await rename(draft, file);
}

/** All remembered runs, the newest first; records that cannot be read are left out. */
export async function listRuns({ home }: { home: string }): Promise<RunRecord[]> {
  const names = await readdir(join(home, 'runs')).catch(() => []);
  const records = await Promise.all(
    names.map(async (runId) => {
      try {
        return runRecord.parse(JSON.parse(await readFile(recordFile({ home, runId }), 'utf8')));
      } catch {
        return null;
      }
    }),
  );
  return records
    .filter((record) => record !== null)
    .sort((left, right) => right.startedAt.localeCompare(left.startedAt) || left.runId.localeCompare(right.runId));
}

/**
 * The run that `reference` names: an id, a beginning that only one run has, or `last` for the newest.
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
