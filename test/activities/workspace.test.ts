import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

/** A workspace on the tree with one test file of the suite, `the suite’s`. */
async function open(path: string): Promise<Workspace> {
  const ref = await putText({ store: services.store, text: 'the suite’s' });
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
