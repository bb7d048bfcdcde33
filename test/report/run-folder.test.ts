import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { Suite } from '../../src/core/suite.js';
import { readRunFolder } from '../../src/report/page-data-folder.js';
import { fileDiff, runFolderFiles, writeRunFolder } from '../../src/report/run-folder.js';
import { loadRunRecord, type RunRecord } from '../../src/report/run-record.js';
import { decision, MATRIX, SUITE } from './fixture.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'testgrad-run-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BASE = 'def test_old():\n    assert True\n';
const FIRST = `${BASE}\n\ndef test_one():\n    assert 1\n`;
const SECOND = `${FIRST}\n\ndef test_two():\n    assert 2`;
/** Of a file in Latin-1: no text in UTF-8. */
const PATCH = Buffer.from(
  'diff --git a/shop/models.py b/shop/models.py\n--- a/shop/models.py\n+++ b/shop/models.py\n@@ -1 +1 @@\n-caf\u00e9\n+na\u00efve\n',
  'latin1',
);

/** A store in memory with the real addressing by digest. */
function memoryStore() {
  // The digest that the fixture's candidates name.
  const objects = new Map<string, Uint8Array>([['ab'.repeat(32), PATCH]]);
  const put = (value: unknown): ArtifactRef => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const bytes = value instanceof Uint8Array ? value : new TextEncoder().encode(text);
    const digest = createHash('sha256').update(bytes).digest('hex');
    objects.set(digest, bytes);
    return { digest, bytes: bytes.length, mediaType: 'application/octet-stream' };
  };
  const read = async (ref: ArtifactRef): Promise<Uint8Array> => {
    const bytes = objects.get(ref.digest);
    if (bytes === undefined) throw new Error(`no object ${ref.digest}`);
    return bytes;
  };
  return { put, read };
}

async function record(): Promise<RunRecord> {
  const { put, read } = memoryStore();
  const suite = (step: number, files: Suite['files']): Suite => ({ ...SUITE, step, files });
  const first = put(FIRST);
  const second = put(SECOND);
  const momentum = {
    schema: 'testgrad.momentum/1',
    failedUpdates: 1,
    minSupport: 2,
    patterns: [],
    abstractedLiterals: false,
    complete: true,
    text: '',
    tokens: 0,
    rawTokens: 900,
  };
  const instance: Pick<InstanceSpec, 'candidates' | 'issue'> = {
    candidates: [{ id: 'c2', agent: 'codex', patch: put(PATCH) }],
    issue: '# An issue\n',
  };
  return loadRunRecord({
    decision: decision(),
    trail: {
      suites: [
        put(suite(0, {})),
        put(suite(1, { 'tests/test_a.py': first })),
        put(suite(2, { 'tests/test_a.py': second, 'tests/test_new.py': put('x = 1\n') })),
      ],
      matrices: [put({ ...MATRIX, step: 0 }), put(MATRIX)],
      momenta: [put(momentum)],
      conversations: [
        { role: 'optimizer', step: 1, conversation: put({ messages: ['one'] }) },
        { role: 'checker', step: 0, conversation: put({ messages: ['check'] }) },
      ],
    },
    instance: instance as InstanceSpec,
    decidingFiles: [{ path: 'tests/test_a.py', before: BASE, after: SECOND }],
    read,
    readBase: async (path) => (path === 'tests/test_a.py' ? BASE : null),
  });
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

test('a run folder holds every step with its files', async () => {
  await writeRunFolder({ dir: folder, record: await record() });
  expect(listFiles(folder)).toEqual([
    ...['candidates/c1.diff', 'candidates/c2.diff', 'candidates/c3.diff', 'candidates/c4.diff'],
    'checker.json',
    'deciding-test.diff',
    'deciding-test/tests/test_a.py',
    'decision.json',
    'issue.md',
    'matrix.json',
    'report.md',
    'steps/y0/matrix.json',
    'steps/y0/suite.diff',
    'steps/y1/conversation.json',
    'steps/y1/momentum.json',
    'steps/y1/suite.diff',
    'steps/y2/matrix.json',
    'steps/y2/suite.diff',
    'usage.json',
    'winner.diff',
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'decision.json'), 'utf8'))).toEqual(decision());
  expect(JSON.parse(readFileSync(join(folder, 'matrix.json'), 'utf8'))).toEqual(MATRIX);
  expect(readFileSync(join(folder, 'winner.diff')).equals(PATCH)).toBe(true);
});

test('the diffs of the steps lead from the base to each suite with git apply', async () => {
  await writeRunFolder({ dir: join(folder, 'run'), record: await record() });
  const repo = join(folder, 'repo');
  mkdirSync(join(repo, 'tests'), { recursive: true });
  writeFileSync(join(repo, 'tests/test_a.py'), BASE);
  const texts = [1, 2].map((step) => {
    execFileSync('git', ['apply', join(folder, `run/steps/y${step}/suite.diff`)], { cwd: repo });
    return readFileSync(join(repo, 'tests/test_a.py'), 'utf8');
  });
  expect(texts).toEqual([FIRST, SECOND]);
  expect(readFileSync(join(repo, 'tests/test_new.py'), 'utf8')).toBe('x = 1\n');
});

test('a run folder can be read back, also without the files that are gone', async () => {
  await writeRunFolder({ dir: folder, record: await record() });
  const read = await readRunFolder({ dir: folder });
  expect(read).toMatchObject({ decision: decision(), matrix: MATRIX, issue: '# An issue\n' });
  expect([...(read?.patches.keys() ?? [])]).toEqual(['c1', 'c2', 'c3', 'c4']);
  expect([...(read?.suiteDiffs.keys() ?? [])]).toEqual([1, 2]);
  expect(read?.momenta.get(1)?.rawTokens).toBe(900);
  expect(read?.conversations.map(({ role, step }) => `${role} ${step}`)).toEqual(['optimizer 1', 'checker 0']);

  for (const gone of ['matrix.json', 'issue.md', 'steps', 'candidates'])
    rmSync(join(folder, gone), { recursive: true });
  writeFileSync(join(folder, 'checker.json'), '{"mess');
  expect(await readRunFolder({ dir: folder })).toMatchObject({ decision: decision(), matrix: null, conversations: [] });
  rmSync(join(folder, 'decision.json'));
  expect(await readRunFolder({ dir: folder })).toBeNull();
});

test('writing again changes nothing and leaves no temporary file', async () => {
  const loaded = await record();
  await writeRunFolder({ dir: folder, record: loaded });
  const before = listFiles(folder).map((file) => [file, statSync(join(folder, file)).ino]);
  await writeRunFolder({ dir: folder, record: loaded });
  expect(listFiles(folder).map((file) => [file, statSync(join(folder, file)).ino])).toEqual(before);
});

test('a file that was torn by a crash is made whole', async () => {
  const loaded = await record();
  await writeRunFolder({ dir: folder, record: loaded });
  writeFileSync(join(folder, 'decision.json'), '{"schema":');
  await writeRunFolder({ dir: folder, record: loaded });
  expect(JSON.parse(readFileSync(join(folder, 'decision.json'), 'utf8'))).toEqual(decision());
});

test('paths that would leave the folder are not written', async () => {
  const loaded = await record();
  const outside = ['../evil.py', '/etc/evil.py', 'a/../../evil.py', 'C:/evil.py', '..\\evil.py'];
  const files = runFolderFiles({
    ...loaded,
    decidingFiles: outside.map((path) => ({ path, before: null, after: 'x\n' })),
  });
  expect([...files.keys()].filter((path) => path.includes('evil'))).toEqual([]);
  expect(files.has('deciding-test.diff')).toBe(false);
});

test('the diff of a deleted and of an unchanged file', () => {
  expect(fileDiff({ path: 'a.py', before: 'x\n', after: 'x\n' })).toBe('');
  expect(fileDiff({ path: 'a.py', before: 'x\n', after: null })).toContain('deleted file mode');
});
