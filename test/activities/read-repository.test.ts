import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRepository } from '../../src/activities/read-repository.js';
import { getText } from '../../src/artifacts/values.js';
import {
  type ActivityBench,
  asActivity,
  openActivityBench,
  scored,
  type ToolCallSubject,
} from '../support/activity-bench.js';

let bench: ActivityBench;
let call: (call: { readonly tool: string; readonly arguments: unknown }) => Promise<ToolCallSubject>;

beforeAll(async () => {
  bench = await openActivityBench();
  const { repoDir } = bench.project;
  // A repository may hold a link to anywhere.
  await symlink('/etc', join(repoDir, 'outside'));
  await symlink('../../../../../../etc/passwd', join(repoDir, 'tests', 'secrets.py'));
  await execa('git', ['add', '--all'], { cwd: repoDir });
  await execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '-m', 'links'], {
    cwd: repoDir,
  });
  call = await scored({ bench, context: await bench.context() });
});
afterAll(() => bench.remove());

async function read(tool: string, given: unknown): Promise<string> {
  const input = await call({ tool, arguments: given });
  const { result, summary } = await asActivity(() => readRepository({ services: bench.services, input }));
  expect(summary.length).toBeLessThanOrEqual(100);
  return getText({ store: bench.services.store, ref: result });
}

test('files and folders of the base are read', async () => {
  expect(await read('list_files', {})).toMatch(/^slugs\.py$/m);
  expect(await read('list_files', { path: './tests/' })).toContain('tests/test_slugs.py');
  const lines = await read('read_file', { path: 'slugs.py', start: 5, end: 6 });
  expect(lines).toContain('5\tdef slugify(text, max_length=None):');
  expect(lines).toContain('read on from 7');
  expect(await read('search', { pattern: 'def slug\\w+' })).toContain('slugs.py:5:def slugify');
  const shown = await read('show_test', { file: 'tests/test_slugs.py', test: 'TestSlugify::test_nothing' });
  expect(shown).toContain('parametrize');
});

test('candidates are shown under their labels, without a word on who made them', async () => {
  const shown = await read('show_candidate', { label: 'A' });
  expect(shown).toContain('--- a/slugs.py');
  expect(shown).not.toContain('example-only');
  expect(await read('show_candidate', { label: 'example-only' })).toContain('There is no candidate');
});

test('nothing outside of the base is there to be read', async () => {
  for (const path of [
    '../issue.md',
    '/etc/passwd',
    'outside/passwd',
    'tests/secrets.py',
    '.git/config',
    'tests/../../issue.md',
  ]) {
    expect(await read('read_file', { path }), path).toMatch(/There is no file/);
  }
  expect(await read('list_files', { path: '../' })).toMatch(/There is no folder/);
  expect(await read('search', { pattern: 'root:', path: 'outside' })).toBe('No match.');
});

test('calls that make no sense are answered with the reason', async () => {
  expect(await read('read_file', { start: 1 })).toContain('path');
  expect(await read('read_file', '{"path": "slugs')).toMatch(/JSON/);
  expect(await read('search', { pattern: '(' })).toContain('cannot be used');
  expect(await read('rm', { path: 'slugs.py' })).toContain('rm');
  expect(await read('show_test', { file: 'tests/test_slugs.py', test: 'test_gone' })).toContain('test_gone');
});
