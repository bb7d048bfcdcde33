import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileItem } from '../../../src/swebench/datasets/file-item.js';
import { JsonSplitter } from '../../../src/swebench/datasets/json-splitter.js';
import { fileFormat, readItems } from '../../../src/swebench/datasets/read-items.js';
import { readJson } from '../../../src/swebench/datasets/read-json.js';
import { readJsonl } from '../../../src/swebench/datasets/read-jsonl.js';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-items-'));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

async function file({ name, content }: { name: string; content: string | Uint8Array }): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
}

async function all(items: AsyncIterable<FileItem>): Promise<FileItem[]> {
  const read: FileItem[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const brief = (items: readonly FileItem[]): unknown[] =>
  items.map((item) => (item.kind === 'value' ? [item.place, item.value] : [item.place, 'malformed', item.problem]));

test('a list is cut into its elements wherever its bytes are cut into chunks', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }),
      fc.array(fc.nat(400)),
      fc.constantFrom(0, 2),
      (list, cuts, indent) => {
        const bytes = Buffer.from(JSON.stringify(list, null, indent));
        const splitter = new JsonSplitter({ maxBytes: 1e9 });
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = edges.flatMap((edge, index) => splitter.push(bytes.subarray(edge, edges[index + 1])));
        expect(pieces.map((piece) => JSON.parse(Buffer.from(piece.bytes).toString()))).toEqual(
          JSON.parse(bytes.toString()),
        );
        expect(splitter.state).toBe('after');
      },
    ),
  );
});

test('lines: byte order mark, CRLF, blank lines, a bad line, a last line without end', async () => {
  const path = await file({ name: 'a.jsonl', content: '\ufeff{"a":1}\r\n\r\n{"a":\n{"a":"x\\r\\ny"}' });
  expect(brief(await all(readItems({ path })))).toEqual([
    ['line 1', { a: 1 }],
    ['line 3', 'malformed', expect.stringContaining('not JSON')],
    ['line 4', { a: 'x\r\ny' }],
  ]);
});

test('bytes that are not UTF-8 are told and not replaced', async () => {
  const path = await file({ name: 'latin.jsonl', content: Buffer.from('{"a":"\xe9"}\n{"a":2}\n', 'latin1') });
  expect(brief(await all(readItems({ path })))).toEqual([
    ['line 1', 'malformed', 'not UTF-8'],
    ['line 2', { a: 2 }],
  ]);
});

test('what is longer than allowed is passed over without being held', async () => {
  const long = `{"a":"${'x'.repeat(3_000_000)}"}`;
  const lines = await file({ name: 'long.jsonl', content: `${long}\n{"a":2}\n` });
  expect(brief(await all(readJsonl({ path: lines, maxItemBytes: 1000 })))).toEqual([
    ['line 1', 'malformed', 'longer than 1000 bytes'],
    ['line 2', { a: 2 }],
  ]);
  const list = await file({ name: 'long.json', content: `[${long},{"a":2}]` });
  expect(brief(await all(readJson({ path: list, maxItemBytes: 1000 })))).toEqual([
    ['item 1', 'malformed', 'longer than 1000 bytes'],
    ['item 2', { a: 2 }],
  ]);
});

test('an object gives its values with their keys', async () => {
  const path = await file({ name: 'by-id.json', content: '{"one": {"x": "},{"}, "t\\"wo": [1, 2]}' });
  const items = await all(readItems({ path }));
  expect(items.map((item) => item.kind === 'value' && [item.key, item.value])).toEqual([
    ['one', { x: '},{' }],
    ['t"wo', [1, 2]],
  ]);
});

test.each([
  ['[]', []],
  ['{}', []],
  [
    '[1,2',
    [
      ['item 1', 1],
      ['end', 'malformed', expect.stringContaining('ends in the middle')],
    ],
  ],
  [
    '[1,,2]',
    [
      ['item 1', 1],
      ['item 2', 'malformed', expect.anything()],
      ['item 3', 2],
    ],
  ],
  [
    '[1] x',
    [
      ['item 1', 1],
      ['end', 'malformed', 'not one JSON list or object'],
    ],
  ],
])('the list %s', async (content, expected) => {
  const path = await file({ name: 'list.json', content });
  expect(brief(await all(readJson({ path })))).toEqual(expected);
});

test.each([
  ['rows.json', '{"instance_id":"a"}\n{"instance_id":"b"}\n', 'jsonl'],
  ['one.json', '{"instance_id":"a","model_patch":"x"}', 'jsonl'],
  ['by-id.json', '{"a":{"model_patch":"x"}}', 'json'],
  ['pretty.json', '{\n  "a": {}\n}\n', 'json'],
  ['list.jsonl', '[\n{"instance_id":"a"}\n]', 'json'],
  ['broken.jsonl', '{"a":\n{"b":1}\n', 'jsonl'],
  ['empty.json', '', 'jsonl'],
])('%s is read as what it holds', async (name, content, format) => {
  expect(await fileFormat(await file({ name, content }))).toBe(format);
});

test.each([
  ['page.jsonl', '<html>'],
  ['pointer.parquet', 'version https://git-lfs.github.com/spec/v1\n'],
  ['utf16.jsonl', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ['cut.parquet', 'PAR1 and nothing more'],
])('%s is refused with a code', async (name, content) => {
  const path = await file({ name, content });
  await expect(all(readItems({ path }))).rejects.toMatchObject({ code: 'TG-I06' });
});

test('parquet: groups of rows, text, lists, dates, and two codecs', async () => {
  const files = join(import.meta.dirname, 'files');
  const snappy = await all(readItems({ path: join(files, 'verified-snappy.parquet') }));
  expect(snappy.map(({ place }) => place)).toEqual(['row 1', 'row 2', 'row 3', 'row 4', 'row 5']);
  expect(snappy[4]).toMatchObject({
    value: { instance_id: 'acme__slug-5', problem_statement: 'Issue 5: ümläut', patch: 'GOLD-PATCH\r\n' },
  });
  const [live] = await all(readItems({ path: join(files, 'live-zstd.parquet') }));
  expect(live).toMatchObject({
    value: { test_cmds: ['pytest -rA tests/test_a.py', 'pytest -rA'], created_at: new Date('2025-03-04T05:06:07Z') },
  });
});
