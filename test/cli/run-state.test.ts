import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileStore } from '../../src/artifacts/file-store.js';
import { failureLines } from '../../src/cli/failure.js';
import { requireFinished } from '../../src/cli/finished-run.js';
import { exitCodeOfDecision } from '../../src/cli/outcome.js';
import { runFailure } from '../../src/cli/run-failure.js';
import { localTaskQueue, parseWorkflowId, runIdOf, workflowIdOf } from '../../src/cli/run-identity.js';
import { findRun, type KnownRun, listRuns, rememberRun } from '../../src/cli/run-index.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import { presetSettings } from '../../src/core/settings.js';
import { exitCodeOf, TestgradError } from '../../src/errors.js';
import { decision } from '../report/fixture.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'testgrad-runs-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const settings = presetSettings({ preset: 'balanced', model: 'm' });
const instanceRef = { digest: 'a'.repeat(64), bytes: 1, mediaType: 'application/json' };
const known = (runId: string): KnownRun => ({
  kind: 'select',
  runId,
  instance: { name: `shop ${runId}` } as InstanceSpec,
  instanceRef,
  settings,
});
const start = { taskQueue: 'q', startedAt: new Date('2026-01-01T00:00:00Z') };

/** Remembers runs at different milliseconds, the resolution of `last`. */
async function remember(...calls: [run: string, start: typeof start | null][]) {
  for (const [run, when] of calls) {
    await rememberRun({ home, run: known(run), start: when });
    await sleep(2);
  }
}

test('a run is found by any unique beginning, and `last` is the one used last', async () => {
  await remember(['aaaa11110000', start], ['aaaa22220000', start], ['bbbb00000000', start]);
  expect((await findRun({ home, reference: 'b' })).runId).toBe('bbbb00000000');
  expect((await findRun({ home, reference: 'AAAA2' })).runId).toBe('aaaa22220000');
  expect((await findRun({ home, reference: 'last' })).runId).toBe('bbbb00000000');
  await expect(findRun({ home, reference: 'aaaa' })).rejects.toThrow(/2 runs begin.*aaaa22220000.*aaaa11110000/);
  await expect(findRun({ home, reference: 'c' })).rejects.toMatchObject({ code: 'TG-R05' });
});

test('a run that is answered again becomes the last and keeps its start', async () => {
  await remember(['aaaa11110000', start], ['bbbb00000000', start]);
  const again = await rememberRun({ home, run: known('aaaa11110000'), start: null });
  expect(again).toMatchObject({ startedAt: '2026-01-01T00:00:00.000Z', taskQueue: 'q' });
  expect((await findRun({ home, reference: 'last' })).runId).toBe('aaaa11110000');
});

test('what has no decision says how to come to a result', async () => {
  const store = createFileStore({ dir: join(home, 'store') });
  const record = await rememberRun({ home, run: known('aaaa11110000'), start });
  const failure = (run: typeof record): Promise<unknown> => requireFinished({ store, run }).catch((error) => error);
  const select = await failure(record);
  expect(select).toMatchObject({ code: 'TG-R05', what: 'Run aaaa1111 (shop aaaa11110000) has no decision yet.' });
  expect(select).toMatchObject({ fix: expect.stringContaining('testgrad watch aaaa1111 waits for its result') });
  const matrix = await failure({ ...record, kind: 'matrix' });
  expect(matrix).toMatchObject({ fix: 'testgrad watch aaaa1111 prints the matrix.' });
  const bench = await failure({ ...record, kind: 'bench' });
  expect(bench).toMatchObject({
    what: 'Run aaaa1111 (shop aaaa11110000) has no decision of its own, because it is a benchmark.',
    fix: expect.stringContaining('testgrad report aaaa1111'),
  });
});

test('damaged and foreign folders among the runs are passed over', async () => {
  await rememberRun({ home, run: known('aaaa11110000'), start });
  mkdirSync(join(home, 'runs', 'notes'));
  mkdirSync(join(home, 'runs', 'cccc00000000'));
  writeFileSync(join(home, 'runs', 'cccc00000000', 'run.json'), '{"schema":');
  expect((await listRuns({ home })).map(({ runId }) => runId)).toEqual(['aaaa11110000']);
});

test('a run id follows from inputs and settings, and from nothing else', () => {
  const id = (changes: object) =>
    runIdOf({ kind: 'select', instance: instanceRef, settings: { ...settings, ...changes } });
  expect(id({})).toMatch(/^[0-9a-f]{12}$/);
  expect(id({})).toBe(runIdOf({ kind: 'select', instance: { ...instanceRef, bytes: 9 }, settings: { ...settings } }));
  expect(new Set([id({}), id({ seed: 2 }), id({ model: 'n' }), id({ steps: 3 })]).size).toBe(4);
  expect(runIdOf({ kind: 'matrix', instance: instanceRef, settings })).not.toBe(id({}));
  expect(parseWorkflowId(workflowIdOf({ kind: 'matrix', runId: id({}) }))).toEqual({ kind: 'matrix', runId: id({}) });
  expect(parseWorkflowId('somebody/else')).toBeNull();
});

test('each model setting has a queue of its own, whose name does not hold the key', () => {
  const key = 'sk-0123456789abcdef';
  const base = { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://a/v1' };
  const queues = [
    base,
    { ...base, OPENAI_API_KEY: 'sk-other' },
    { ...base, OPENAI_BASE_URL: 'http://b/v1' },
    { ...base, TESTGRAD_REPLAY: '/s.json' },
    { ...base, TESTGRAD_RECORD: '/s.json' },
    { ...base, TESTGRAD_PRICE: '1,2' },
    {},
  ].map(localTaskQueue);
  expect(new Set(queues).size).toBe(queues.length);
  expect(localTaskQueue({ ...base, EDITOR: 'vi' })).toBe(queues[0]);
  for (const queue of queues) expect(queue).toMatch(/^testgrad-[0-9a-f]{8}$/);
});

test('exit codes of decisions', () => {
  const code = (changes: Parameters<typeof decision>[0], requireDifferential = false) =>
    exitCodeOfDecision({ decision: decision(changes), requireDifferential });
  expect(code({})).toBe(0);
  expect(code({}, true)).toBe(0);
  expect([code({ kind: 'fallback' }), code({ kind: 'fallback' }, true)]).toEqual([0, 10]);
  expect([code({ kind: 'equivalent' }), code({ kind: 'equivalent' }, true)]).toEqual([0, 11]);
  expect([code({ kind: 'single' }), code({ kind: 'single' }, true)]).toEqual([0, 10]);
  expect(code({ kind: 'fallback', ended: 'tokens' }, true)).toBe(12);
  expect(code({ kind: 'differential', ended: 'tokens' })).toBe(0);
  expect(code({ kind: 'none-acceptable' })).toBe(13);
  expect(code({ kind: 'no-candidate' })).toBe(2);
});

/** An error of the shape that Temporal's client rejects with. */
function failure(name: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { name, ...more });
}

test("an activity's coded error comes back with its text and exit code", () => {
  const application = failure('ApplicationFailure', 'TG-S01 The tests do not run. …', {
    type: 'TG-S01',
    details: [{ what: 'The tests do not run.', meaning: 'Nothing was spent.', fix: 'Check --test-cmd.' }],
  });
  const error = failure('WorkflowFailedError', 'Workflow execution failed', {
    cause: failure('ActivityFailure', 'Activity task failed', { cause: application }),
  });
  const shown = runFailure({ error, runId: 'aaaa11110000' });
  expect(shown).toMatchObject({ code: 'TG-S01', what: 'The tests do not run.', fix: 'Check --test-cmd.' });
  expect(exitCodeOf(shown)).toBe(5);
});

test('a coded error without details keeps its message once', () => {
  const error = failure('ApplicationFailure', 'TG-M02 refused (401)', { type: 'TG-M02' });
  expect(runFailure({ error, runId: 'aaaa11110000' })).toMatchObject({ code: 'TG-M02', what: 'refused (401)' });
});

test.each([
  ['CancelledFailure', 'TG-R06', 3],
  ['TerminatedFailure', 'TG-R06', 3],
  ['ServiceError', 'TG-T01', 5],
  ['TypeError', 'TG-X01', 1],
])('a %s is %s, exit %i', (name, code, exitCode) => {
  const shown = runFailure({
    error: failure('WorkflowFailedError', 'failed', { cause: failure(name, 'why') }),
    runId: 'a',
  });
  expect(shown.code).toBe(code);
  expect(exitCodeOf(shown)).toBe(exitCode);
});

test('a message is code and what, meaning, fix, and nothing of it can touch the terminal', () => {
  const error = new TestgradError({ code: 'TG-I03', what: 'a\u001b[2J\nb', meaning: 'm\u202e', fix: 'f\u0007' });
  expect(failureLines(error)).toEqual(['TG-I03  a', '        b', '        m', '  Fix:  f']);
});
