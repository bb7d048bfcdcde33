import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const identity = { pid: z.number().int().positive(), startedAt: z.string() };

const serverRecord = z.object({
  ...identity,
  port: z.number().int(),
  uiPort: z.number().int(),
  /** Version of the CLI that runs, `1.9.1`. */
  version: z.string(),
});

const workerRecord = z.object({
  ...identity,
  taskQueue: z.string(),
  /** Digest of the code that it runs. */
  buildId: z.string(),
  /** Salted digest of the settings in its environment. */
  environment: z.string(),
  address: z.string(),
  namespace: z.string(),
});

/** The local server as it was started; it may have ended since. */
export type ServerRecord = z.infer<typeof serverRecord>;

/** A worker as it was started; it may have ended since. */
export type WorkerRecord = z.infer<typeof workerRecord>;

/** Where the local stack keeps its state, all below `<home>/stack`. */
export interface StackPaths {
  readonly dir: string;
  readonly database: string;
  /** Version of the CLI that wrote the database. */
  readonly databaseVersion: string;
  readonly serverRecord: string;
  readonly serverLog: string;
  readonly serverLock: string;
  readonly workersDir: string;
}

export function stackPaths(home: string): StackPaths {
  const dir = join(home, 'stack');
  const database = join(dir, 'temporal.db');
  return {
    dir,
    database,
    databaseVersion: `${database}.version`,
    serverRecord: join(dir, 'server.json'),
    serverLog: join(dir, 'server.log'),
    serverLock: join(dir, 'server.lock'),
    workersDir: join(dir, 'workers'),
  };
}

/** Files of one queue's worker. */
export function workerPaths({ home, taskQueue }: { home: string; taskQueue: string }): {
  readonly record: string;
  readonly log: string;
  readonly lock: string;
} {
  const base = join(stackPaths(home).workersDir, encodeURIComponent(taskQueue));
  return { record: `${base}.json`, log: `${base}.log`, lock: `${base}.lock` };
}

/** Null when there is none or it cannot be read: a damaged record is as good as a stale one. */
export async function readServerRecord(home: string): Promise<ServerRecord | null> {
  return readRecord({ file: stackPaths(home).serverRecord, schema: serverRecord });
}

/** Null when there is none or it cannot be read. */
export async function readWorkerRecord(file: string): Promise<WorkerRecord | null> {
  return readRecord({ file, schema: workerRecord });
}

/** Records of all queues, in the order of their names. */
export async function listWorkerRecords(home: string): Promise<readonly WorkerRecord[]> {
  const dir = stackPaths(home).workersDir;
  const names = await readdir(dir).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const records = await Promise.all(files.map((name) => readWorkerRecord(join(dir, name))));
  return records.filter((record) => record !== null);
}

/** Written as a whole or not at all; readable by its owner only. */
export async function writeRecord({
  file,
  record,
}: {
  file: string;
  record: ServerRecord | WorkerRecord;
}): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

export async function removeRecord(file: string): Promise<void> {
  await rm(file, { force: true });
}

const LOG_KEEP_BYTES = 10_000_000;

/** A log file to append to; one that has grown past 10 MB becomes `<file>.old` first. */
export async function openLog(file: string): Promise<Awaited<ReturnType<typeof open>>> {
  await mkdir(dirname(file), { recursive: true });
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_KEEP_BYTES) await rename(file, `${file}.old`);
  return open(file, 'a', 0o600);
}

/** The last lines of what was logged after `fromByte`, at most `maxLines`; empty when there is nothing. */
export async function tailOf({
  file,
  fromByte,
  maxLines,
}: {
  file: string;
  fromByte: number;
  maxLines: number;
}): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(fromByte).toString('utf8').trimEnd().split('\n');
  return lines.slice(-maxLines).join('\n');
}

async function readRecord<T>({ file, schema }: { file: string; schema: z.ZodType<T> }): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
