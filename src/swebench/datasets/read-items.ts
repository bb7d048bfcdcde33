import { open } from 'node:fs/promises';
import { InputError } from '../../errors.js';
import { type FileItem, jsonText } from './file-item.js';
import { readJson } from './read-json.js';
import { isSpace, readJsonl } from './read-jsonl.js';
import { readParquet } from './read-parquet.js';

/** How a file holds its values. */
export type FileFormat = 'jsonl' | 'json' | 'parquet';

const SNIFFED_BYTES = 1024 * 1024;

/**
 * Finds out how a file holds its values, from its first bytes rather than its name: JSONL is often called `.json` and a
 * list `.jsonl`. The name decides between JSONL and an object by id only where the bytes fit both.
 *
 * Throws TG-I06 for UTF-16 and for what begins like none of them; rejects with the file system's error.
 */
export async function fileFormat(path: string): Promise<FileFormat> {
  const head = await firstBytes(path);
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (head.indexOf('\xff\xfe', 0, 'latin1') === 0 || head.indexOf('\xfe\xff', 0, 'latin1') === 0) {
    throw unreadable({ path, problem: 'is UTF-16', fix: 'Save it as UTF-8.' });
  }
  const hasMark = head.indexOf('\xef\xbb\xbf', 0, 'latin1') === 0;
  const text = hasMark ? head.subarray(3) : head;
  const first = text.find((byte) => !isSpace(byte));
  if (first === 0x5b) return 'json';
  if (first === 0x7b) return isJsonl({ text, named: /\.(jsonl|ndjson)$/i.test(path) }) ? 'jsonl' : 'json';
  // An empty file is a file without rows.
  if (first === undefined && text.length < SNIFFED_BYTES) return 'jsonl';
  throw unreadable({
    path,
    problem: 'is neither JSON, JSONL nor parquet',
    fix: 'Check that it was downloaded whole and is not a web page or a pointer of Git LFS.',
  });
}

/** The values of a file in any of the formats, one after the other. Throws and rejects as {@link fileFormat}. */
export async function* readItems({ path }: { path: string }): AsyncGenerator<FileItem> {
  const format = await fileFormat(path);
  if (format === 'parquet') yield* readParquet({ path });
  else if (format === 'json') yield* readJson({ path });
  else yield* readJsonl({ path });
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(SNIFFED_BYTES);
    const { bytesRead } = await file.read(buffer, 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isJsonl({ text, named }: { text: Buffer; named: boolean }): boolean {
  const end = text.indexOf(
    '\n',
    text.findIndex((byte) => !isSpace(byte)),
  );
  const line = end === -1 ? text : text.subarray(0, end);
  let value: unknown;
  try {
    value = JSON.parse(jsonText(line));
  } catch {
    return named;
  }
  if (named) return true;
  const hasMore = end !== -1 && text.subarray(end).some((byte) => !isSpace(byte));
  return hasMore || typeof (value as Record<string, unknown>).instance_id === 'string';
}

function unreadable({ path, problem, fix }: { path: string; problem: string; fix: string }): InputError {
  return new InputError({ code: 'TG-I06', what: `${path} ${problem}.`, meaning: 'Nothing was started.', fix });
}
