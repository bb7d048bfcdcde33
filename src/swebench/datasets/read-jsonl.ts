import { createReadStream } from 'node:fs';
import { type FileItem, MAX_ITEM_BYTES, parseItem } from './file-item.js';

const LINE_FEED = 0x0a;

/**
 * The lines of a JSONL file, one after the other; memory stays at one line and one chunk. Blank lines are passed over,
 * a line that is not JSON or longer than `maxItemBytes` (default 64 MiB) is told and the next one is read.
 *
 * Rejects with the file system's error when the file cannot be read.
 */
export async function* readJsonl({
  path,
  maxItemBytes = MAX_ITEM_BYTES,
}: {
  path: string;
  maxItemBytes?: number;
}): AsyncGenerator<FileItem> {
  let line = 1;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (part: Uint8Array): void => {
    heldBytes += part.length;
    if (heldBytes <= maxItemBytes) held.push(part);
    else held = [];
  };
  const end = (): FileItem | null => {
    const item = lineItem({ bytes: Buffer.concat(held), length: heldBytes, line, maxItemBytes });
    held = [];
    heldBytes = 0;
    line += 1;
    return item;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, at));
      start = at + 1;
      const item = end();
      if (item !== null) yield item;
    }
    take(chunk.subarray(start));
  }
  const last = end();
  if (last !== null) yield last;
}

function lineItem({
  bytes,
  length,
  line,
  maxItemBytes,
}: {
  bytes: Uint8Array;
  length: number;
  line: number;
  maxItemBytes: number;
}): FileItem | null {
  const place = `line ${line}`;
  if (length > maxItemBytes) return { kind: 'malformed', place, problem: `longer than ${maxItemBytes} bytes` };
  if (bytes.every(isSpace)) return null;
  return parseItem({ bytes, place });
}

/** True for the bytes that JSON takes as white space. */
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
