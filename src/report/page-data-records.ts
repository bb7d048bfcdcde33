import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { InstanceRecord } from '../core/metrics/record.js';
import { InputError } from '../errors.js';
import { readInstanceRecord } from './instance-record-schema.js';
import type { EndedWithError } from './page-data-benchmark.js';

/** Name of the file that holds a benchmark's records in its folder, one a line. */
export const RECORDS_FILE = 'records.jsonl';

/**
 * The records of a benchmark from a file with one a line. Rejects with TG-I03 when it cannot be read, and with TG-I06 for
 * a line that is no record, as a number would be wrong without it.
 */
export async function readRecords(file: string): Promise<InstanceRecord[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new InputError({
      code: 'TG-I03',
      what: `${file} cannot be read: ${cause.message}`,
      meaning: 'There is nothing to report on.',
      fix: 'Name a run, the folder of one, or a file of instance records.',
      cause,
    });
  });
  return text.split('\n').flatMap((line, index): InstanceRecord[] => {
    if (line.trim() === '') return [];
    const read = readInstanceRecord(parsed(line));
    if (read.kind === 'record') return [read.record];
    throw new InputError({
      code: 'TG-I06',
      what: `${file}, line ${index + 1}: no instance record (${read.problem}).`,
      meaning: 'A report without it would show wrong numbers.',
      fix: 'Score the benchmark again, or leave the line out.',
    });
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const endedWithError = z.object({
  instance_id: z.string(),
  method: z.string(),
  n: z.number(),
  code: z.string(),
  message: z.string(),
});

/** Why records of a benchmark's folder ended with an error; lines that cannot be read are left out. */
export async function readErrors(dir: string): Promise<EndedWithError[]> {
  const text = await readFile(join(dir, 'errors.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => endedWithError.safeParse(parsed(line)).data ?? []);
}

/** Instances of a benchmark's folder that have a run folder of their own, `instances/ID`. */
export async function detailedInstances(dir: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(join(dir, 'instances'), { withFileTypes: true }).catch(() => []);
  return new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
}
