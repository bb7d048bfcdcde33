import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planClean } from '../../src/cli/clean/plan-clean.js';
import { removeAll } from '../../src/cli/clean/remove.js';
import type { RunRecord } from '../../src/cli/run-index.js';
import type { RunState } from '../../src/cli/run-states.js';
import { runCli } from './run-cli.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'testgrad-clean-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const DAY_MS = 86_400_000;
const nowMs = Date.now();

function put(path: string, { days = 0, bytes = 10 }: { days?: number; bytes?: number } = {}): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'x'.repeat(bytes));
  const when = new Date(nowMs - days * DAY_MS);
  for (const each of [file, dirname(file)]) utimesSync(each, when, when);
  return file;
}

const run = (runId: string, state: RunState, days: number) => ({
  state,
  record: { runId, name: 'shop', usedAt: new Date(nowMs - days * DAY_MS).toISOString() } as RunRecord,
});

const plan = (changes: Partial<Parameters<typeof planClean>[0]> = {}) =>
  planClean({ home, cacheDir: join(home, 'cache'), runs: [], busy: false, olderThanDays: 30, nowMs, ...changes });

test('runs go when they are old and at an end; one in work or of unknown state stays', async () => {
  const runs = [
    run('aaaaaaaaaaaa', 'finished', 40),
    run('bbbbbbbbbbbb', 'finished', 20),
    run('cccccccccccc', 'running', 40),
    run('dddddddddddd', 'unknown', 40),
    run('eeeeeeeeeeee', 'failed', 40),
  ];
  put('runs/aaaaaaaaaaaa/run.json', { bytes: 123 });
  const items = await plan({ runs });
  expect(items.map(({ name }) => name)).toEqual(['aaaaaaaaaaaa shop', 'eeeeeeeeeeee shop']);
  expect(items[0]).toMatchObject({ bytes: 123, reason: 'finished, not used for 40 days' });
  expect(await plan({ runs, olderThanDays: 0 })).toHaveLength(3);
});

test('trees and copies stay while anything is in work, or a copy is young', async () => {
  put('work/trees/abc/file');
  put('work/repositories/def/file');
  const copy = put('work/runs/aaaaaaaaaaaa/copy/file', { days: 3 });
  utimesSync(join(home, 'work/runs/aaaaaaaaaaaa'), new Date(nowMs - 3 * DAY_MS), new Date(nowMs - 3 * DAY_MS));
  expect((await plan()).map(({ kind }) => kind)).toEqual(['tree', 'tree', 'copy']);
  expect(await plan({ busy: true })).toEqual([]);
  utimesSync(dirname(copy), new Date(), new Date());
  expect(await plan()).toEqual([]);
});

test('of the cache goes what is old', async () => {
  put('cache/fresh/file');
  put('cache/stale/file', { days: 31 });
  expect((await plan()).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['cache stale']);
});

test('removing takes links before what they lead to and nothing beyond', async () => {
  put('elsewhere/keep');
  put('work/trees/abc.1234/file');
  symlinkSync('abc.1234', join(home, 'work/trees/abc'));
  symlinkSync(join(home, 'elsewhere'), join(home, 'work/trees/out'));
  const removed = await removeAll(await plan());
  expect(removed.map(({ item, problem }) => [item.name, problem])).toEqual([
    ['abc', ''],
    ['out', ''],
    ['abc.1234', ''],
  ]);
  expect(await plan()).toEqual([]);
  expect(existsSync(join(home, 'elsewhere/keep'))).toBe(true);
});

test('the verb shows first and removes with --yes only; the store stays', async () => {
  const tree = put('state/work/trees/abc/file', { bytes: 2048 });
  const object = put('state/store/objects/aa/bb');
  const shown = await runCli({ args: ['clean'], home });
  expect(shown.stdout).toMatch(/tree +2\.0 KB {2}abc [\s\S]*1 things, 2\.0 KB: testgrad clean --yes/);
  expect(existsSync(tree)).toBe(true);
  const done = await runCli({ args: ['clean', '--yes', '--json'], home });
  expect(JSON.parse(done.stdout)).toMatchObject({
    removed: true,
    bytes: 2048,
    items: [{ kind: 'tree', problem: null }],
  });
  expect([existsSync(tree), existsSync(object)]).toEqual([false, true]);
  expect((await runCli({ args: ['clean'], home })).stdout).toBe('There is nothing to remove.\n');
}, 60_000);

test('a server that does not answer keeps everything', async () => {
  put('state/work/trees/abc/file');
  const { stdout } = await runCli({ args: ['clean', '--yes'], home, env: { TEMPORAL_ADDRESS: '127.0.0.1:9' } });
  expect(stdout).toBe('There is nothing to remove.\n');
  expect(existsSync(join(home, 'state/work/trees/abc'))).toBe(true);
}, 60_000);
