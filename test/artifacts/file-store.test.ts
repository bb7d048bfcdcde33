import { appendFile, chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { digestOf } from '../../src/artifacts/content-key.js';
import { createFileStore } from '../../src/artifacts/file-store.js';
import { getText, putText } from '../../src/artifacts/values.js';
import { describeArtifactStore } from './contract.js';

const TYPESCRIPT = fileURLToPath(new URL('../support/typescript.mjs', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./store-process.ts', import.meta.url));
const made: string[] = [];

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-store-'));
  made.push(dir);
  return dir;
}

function nodeArguments({ dir, job, argument }: { dir: string; job: string; argument: string }): string[] {
  return ['--import', TYPESCRIPT, SCRIPT, dir, job, argument];
}

afterEach(async () => {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true });
});

describeArtifactStore({ name: 'file system', open: async () => createFileStore({ dir: await newDir() }) });

describe('several processes on one directory', () => {
  test('exactly one of them binds a name and makes a marker', async () => {
    const dir = await newDir();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (argument) => {
        const { stdout } = await execa(process.execPath, nodeArguments({ dir, job: 'bind', argument }));
        return JSON.parse(stdout) as { marker: boolean; created: boolean; digest: string };
      }),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(answers.filter(({ marker }) => marker)).toHaveLength(1);
    expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1);
  });

  test('no line of a shared ledger is lost or mixed with another', async () => {
    const dir = await newDir();
    const writers = ['a', 'b', 'c'];
    await Promise.all(
      writers.map((argument) => execa(process.execPath, nodeArguments({ dir, job: 'append', argument }))),
    );
    const lines = (await createFileStore({ dir }).readLedger({ key: 'shared' })).map((line) => JSON.parse(line));
    for (const writer of writers) {
      expect(lines.filter((line) => line.writer === writer).map(({ entry }) => entry)).toEqual([...Array(100).keys()]);
    }
  });
});

test('kill -9 in the middle of many puts leaves no damaged object and loses nothing acknowledged', async () => {
  const dir = await newDir();
  const acknowledged: string[] = [];
  for (const argument of ['a', 'b', 'c']) {
    const running = execa(process.execPath, nodeArguments({ dir, job: 'put-for-ever', argument }), { reject: false });
    let seen = 0;
    for await (const line of running.iterable({ from: 'stdout' })) {
      acknowledged.push(line);
      seen += 1;
      if (seen === 15) running.kill('SIGKILL');
    }
    expect((await running).signal).toBe('SIGKILL');
  }
  const store = createFileStore({ dir });
  const objects = (await readdir(join(dir, 'objects'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(objects).toEqual(expect.arrayContaining(acknowledged));
  for (const digest of objects) expect(digestOf(await store.get({ digest }))).toBe(digest);
  for (const key of await readdir(join(dir, 'refs', 'put'))) {
    const ref = await store.lookup({ kind: 'put', key });
    expect(ref === undefined ? 'unbound' : (await store.get(ref)).length).toBe(200_000);
  }
});

test('a full disk is TG-E03, what was there stays whole, and small things still fit', async (context) => {
  const dir = await newDir();
  const size = ['--size', '1000000', '--tmpfs', dir];
  const sandbox = ['--dev-bind', '/', '/', ...size, '--', process.execPath];
  const command = [...sandbox, ...nodeArguments({ dir, job: 'fill', argument: '' })];
  const usable = await execa('bwrap', ['--dev-bind', '/', '/', '--', 'true'], { reject: false });
  if (usable.failed) context.skip('bubblewrap is needed for a small file system');
  const { stdout } = await execa('bwrap', command);
  expect(stdout.split('\n')).toEqual(['TG-E03', 'small']);
});

test('a damaged object is refused on read, and healed by putting the bytes again', async () => {
  const dir = await newDir();
  const store = createFileStore({ dir });
  const ref = await putText({ store, text: 'precious' });
  const path = join(dir, 'objects', ref.digest.slice(0, 2), ref.digest);
  await chmod(path, 0o644);
  await writeFile(path, 'precioux');
  await expect(store.get(ref)).rejects.toMatchObject({ code: 'TG-R07' });
  await putText({ store, text: 'precious' });
  expect(await getText({ store, ref })).toBe('precious');
});

test('a torn line is left out, and does not swallow the next one', async () => {
  const dir = await newDir();
  const store = createFileStore({ dir });
  await store.appendLedger({ key: 'run', line: 'one' });
  await appendFile(join(dir, 'ledger', 'run.jsonl'), '{"to');
  expect(await store.readLedger({ key: 'run' })).toEqual(['one']);
  await store.appendLedger({ key: 'run', line: 'two' });
  expect(await store.readLedger({ key: 'run' })).toEqual(['one', 'two']);
});

test('files of killed writers are removed once they are old, those of running ones are not', async () => {
  const dir = await newDir();
  await putText({ store: createFileStore({ dir }), text: 'makes the directory' });
  await writeFile(join(dir, 'tmp', 'old'), '');
  await utimes(join(dir, 'tmp', 'old'), 0, 0);
  await writeFile(join(dir, 'tmp', 'new'), '');
  await putText({ store: createFileStore({ dir }), text: 'sweeps' });
  expect(await readdir(join(dir, 'tmp'))).toEqual(['new']);
});

test('the layout on disk is the documented one', async () => {
  const dir = await newDir();
  const store = createFileStore({ dir });
  const ref = await putText({ store, text: 'x' });
  await store.bind({ kind: 'outcome', key: 'abc', ref });
  await store.createMarker({ kind: 'turn', key: 'abc' });
  await store.appendLedger({ key: 'abc', line: '1' });
  const files = (await readdir(dir, { recursive: true })).sort();
  expect(files.filter((file) => file.split('/').length === (file.startsWith('ledger') ? 2 : 3))).toEqual([
    'ledger/abc.jsonl',
    'markers/turn/abc',
    `objects/${ref.digest.slice(0, 2)}/${ref.digest}`,
    'refs/outcome/abc',
  ]);
  expect(JSON.parse(await readFile(join(dir, 'refs/outcome/abc'), 'utf8'))).toEqual(ref);
});
