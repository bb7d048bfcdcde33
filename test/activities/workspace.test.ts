import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseInstance } from '../../src/activities/release-instance.js';
import type { Services } from '../../src/activities/services.js';
import { openWorkspace, type Workspace } from '../../src/activities/workspace.js';
import { putText } from '../../src/artifacts/values.js';
import type { Suite } from '../../src/core/suite.js';
import { createServices } from '../../src/workers/services.js';
import { asActivity } from '../support/activity-bench.js';

let dir: string;
let tree: string;
let host: string;
let services: Services;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-workspace-'));
  [tree, host] = [join(dir, 'tree'), join(dir, 'host')];
  for (const path of [tree, host]) await mkdir(path);
  await writeFile(join(host, 'test_it.py'), 'the host’s');
  services = createServices({ home: join(dir, 'home'), env: {}, stopping: new AbortController().signal });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A workspace on the tree with one test file of the suite, `the suite’s` unless said otherwise. */
async function open(path: string, text = 'the suite’s'): Promise<Workspace> {
  const ref = await putText({ store: services.store, text });
  const suite: Suite = {
    schema: 'testgrad.suite/1',
    step: 1,
    edits: [],
    files: { [path]: ref },
    changed: [],
    testFiles: [path],
  };
  return asActivity(() => openWorkspace({ services, runId: 'run', tree, suite }));
}

/** Nothing of the host was touched, and the suite’s file is there for the tests. */
async function expectPlaced({ workspace, path }: { workspace: Workspace; path: string }): Promise<void> {
  expect(await readFile(join(workspace.treeDir, path), 'utf8')).toBe('the suite’s');
  expect(await readdir(host)).toEqual(['test_it.py']);
  expect(await readFile(join(host, 'test_it.py'), 'utf8')).toBe('the host’s');
}

test('a file of the suite is not written through links that lead out of the tree', async () => {
  await symlink(host, join(tree, 'away'));
  await mkdir(join(tree, 'pkg'));
  await symlink('../../host', join(tree, 'pkg', 'tests'));
  await symlink(join(host, 'test_it.py'), join(tree, 'test_it.py'));
  await symlink('nowhere', join(tree, 'dangling'));
  await symlink('loop', join(tree, 'loop'));
  for (const folder of ['away', 'away/deeper', 'pkg/tests', 'dangling', 'loop']) {
    const path = `${folder}/test_it.py`;
    await expectPlaced({ workspace: await open(path), path });
  }
  await expectPlaced({ workspace: await open('test_it.py'), path: 'test_it.py' });
});

test('a link from folder to folder in the tree stays what it is', async () => {
  await mkdir(join(tree, 'pkg', 'tests'), { recursive: true });
  await writeFile(join(tree, 'pkg', 'tests', 'conftest.py'), '');
  await symlink('pkg/tests', join(tree, 'tests'));
  const workspace = await open('tests/test_it.py');
  await expectPlaced({ workspace, path: 'pkg/tests/test_it.py' });
  expect((await lstat(join(workspace.treeDir, 'tests'))).isSymbolicLink()).toBe(true);
  expect(await readdir(join(workspace.treeDir, 'tests'))).toEqual(['conftest.py', 'test_it.py']);
});

test('files where the suite has folders, and folders where it has files, give way', async () => {
  await writeFile(join(tree, 'tests'), '');
  await mkdir(join(tree, 'test_it.py', 'inner'), { recursive: true });
  for (const path of ['tests/unit/test_it.py', 'test_it.py']) await expectPlaced({ workspace: await open(path), path });
});

test('a suite never names a file outside of the tree', async () => {
  await expect(open('../../host/test_it.py')).rejects.toThrow('outside of the repository');
  expect(await readdir(join(dir, 'home', 'work', 'runs', 'run'))).toEqual([]);
});

const close = ({ close: end }: Workspace): Promise<void> => asActivity(() => end({ reusable: true }));

test('a copy that an execution left untouched serves the next one on the same tree and suite', async () => {
  await writeFile(join(tree, 'code.py'), 'x = 1');
  const first = await open('test_it.py');
  // Not in the tree.
  await writeFile(join(first.scratchDir, 'record.jsonl'), '{}');
  await close(first);
  const second = await open('test_it.py');
  expect(second.treeDir).toBe(first.treeDir);
  expect(second.scratchDir).not.toBe(first.scratchDir);
  expect(await readdir(second.scratchDir)).toEqual(['home', 'tmp']);
  // One that is in use serves nobody else.
  expect((await open('test_it.py')).treeDir).not.toBe(first.treeDir);
  await close(second);
  const other = await open('test_it.py', 'another edit');
  expect(other.treeDir).not.toBe(first.treeDir);
  expect(await readFile(join(other.treeDir, 'test_it.py'), 'utf8')).toBe('another edit');
});

const touches: Readonly<Record<string, (dir: string) => Promise<void>>> = {
  'a file written': (dir) => writeFile(join(dir, 'code.py'), 'x = 2'),
  'a file written under its old times': async (dir) => {
    const { atime, mtime } = await lstat(join(dir, 'code.py'));
    await writeFile(join(dir, 'code.py'), 'x = 2');
    await utimes(join(dir, 'code.py'), atime, mtime);
  },
  'a file added': (dir) => writeFile(join(dir, 'pkg', 'more.py'), ''),
  'a file removed': (dir) => rm(join(dir, 'code.py')),
  'a file renamed': (dir) => rename(join(dir, 'code.py'), join(dir, 'pkg', 'code.py')),
  'other rights': (dir) => chmod(join(dir, 'code.py'), 0o600),
  'the suite’s file written': (dir) => writeFile(join(dir, 'test_it.py'), 'forged'),
};
test.each(Object.entries(touches))('a copy with %s is not used again', async (_, touch) => {
  await mkdir(join(tree, 'pkg'));
  await writeFile(join(tree, 'code.py'), 'x = 1');
  const first = await open('test_it.py');
  await touch(first.treeDir);
  await close(first);
  const second = await open('test_it.py');
  expect(second.treeDir).not.toBe(first.treeDir);
  expect(await readFile(join(second.treeDir, 'code.py'), 'utf8')).toBe('x = 1');
  expect(await readdir(join(dir, 'home', 'work', 'runs', 'run'))).toHaveLength(1);
});

test('copies that wait give way when there are too many, and go with their run', async () => {
  const runs = join(dir, 'home', 'work', 'runs');
  for (const [index, text] of Array.from({ length: 40 }, (_, at) => [at, `edit ${at}`] as const)) {
    const workspace = await open('test_it.py', text);
    await close(workspace);
    expect((await readdir(join(runs, 'run'))).length).toBeLessThanOrEqual(
      Math.min(index + 1, 4 * availableParallelism()),
    );
  }
  const input = { runId: 'run', instance: { digest: '', bytes: 0, mediaType: '' }, settings: {} as never };
  await asActivity(() => releaseInstance({ services, input }));
  expect(await readdir(runs)).toEqual([]);
  const fresh = await open('test_it.py', 'edit 39');
  expect(await readFile(join(fresh.treeDir, 'test_it.py'), 'utf8')).toBe('edit 39');
});
