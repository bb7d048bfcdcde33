import { createReadStream } from 'node:fs';
import { type FileItem, MAX_ITEM_BYTES, parseItem } from './file-item.js';
import { JsonSplitter, type Piece } from './json-splitter.js';
import { isSpace } from './read-jsonl.js';

/**
 * The elements of a JSON list, or the values of a JSON object with their keys, one after the other; memory stays at one
 * element and one chunk. What is not JSON or longer than `maxItemBytes` (default 64 MiB) is told at its place.
 *
 * Rejects with the file system's error when the file cannot be read.
 */
export async function* readJson({
  path,
  maxItemBytes = MAX_ITEM_BYTES,
}: {
  path: string;
  maxItemBytes?: number;
}): AsyncGenerator<FileItem> {
  const splitter = new JsonSplitter({ maxBytes: maxItemBytes });
  let count = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    for (const piece of splitter.push(chunk)) {
      count += 1;
      const item = pieceItem({ piece, splitter, count, maxItemBytes });
      if (item !== null) yield item;
    }
  }
  const problem = endProblem(splitter);
  if (problem !== null) yield { kind: 'malformed', place: count === 0 ? 'start' : 'end', problem };
}

function pieceItem({
  piece,
  splitter,
  count,
  maxItemBytes,
}: {
  piece: Piece;
  splitter: JsonSplitter;
  count: number;
  maxItemBytes: number;
}): FileItem | null {
  const place = `item ${count}`;
  if (piece.length > maxItemBytes) return { kind: 'malformed', place, problem: `longer than ${maxItemBytes} bytes` };
  const empty = piece.bytes.every(isSpace);
  // `[]` and `{}` have one piece, an empty one.
  if (empty && count === 1 && splitter.state === 'after') return null;
  if (empty) return { kind: 'malformed', place, problem: 'not JSON (a comma with nothing beside it)' };
  if (splitter.container === 'list') return parseItem({ bytes: piece.bytes, place });
  const item = parseItem({ bytes: Buffer.concat([Buffer.from('{'), piece.bytes, Buffer.from('}')]), place });
  if (item.kind === 'malformed') return item;
  const [entry] = Object.entries(item.value as Record<string, unknown>);
  if (entry === undefined) return { kind: 'malformed', place, problem: 'no key' };
  return { kind: 'value', key: entry[0], value: entry[1], place: `${place} (${entry[0].slice(0, 80)})` };
}

function endProblem({ state }: JsonSplitter): string | null {
  if (state === 'after') return null;
  if (state === 'before') return 'the file is empty';
  if (state === 'inside') return 'the file ends in the middle; is it still being written?';
  return 'not one JSON list or object';
}
