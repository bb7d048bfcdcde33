import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecuteSuiteResult, RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { getJson } from '../../src/artifacts/values.js';
import type { CandidateOutcomes } from '../../src/core/outcome.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';
import { patchWithLines } from '../support/slug-patches.js';

/** Set-up by the candidate's own code. */
const SET_UP = 'import slugs\nif hasattr(slugs, "set_up"):\n    slugs.set_up()\n';
const FILES = ['tests/test_other.py', 'tests/test_slugs.py'];

const candidates: Readonly<Record<string, string>> = {
  harmless: 'def set_up():\n    print("built")',
  exits: 'def set_up():\n    raise SystemExit("no compiler for this")',
  hangs: 'import time\ndef set_up():\n    time.sleep(60)',
  messy: `import os, socket
def set_up():
    os.mkfifo("pipe")
    socket.socket(socket.AF_UNIX).bind("socket")
    os.makedirs("locked/inner")
    os.chmod("locked/inner", 0)
    os.chmod("locked", 0o500)`,
};

let bench: ActivityBench;
let context: RunContext;
let ready: Awaited<ReturnType<typeof prepared>>;

beforeAll(async () => {
  // A module of the project that hides one of the standard library.
  bench = await openActivityBench({ files: { 'set_up.py': SET_UP, 'colorsys.py': 'NAME = "ours"\n' } });
  const patches: Record<string, string> = {};
  for (const [agent, lines] of Object.entries(candidates)) {
    patches[agent] = await patchWithLines({ dir: bench.dir, agent, lines });
  }
  patches.gone = join(bench.dir, 'gone.diff');
  await writeFile(patches.gone, '--- a/colorsys.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-NAME = "ours"\n');
  context = await bench.context({
    agents: Object.keys(patches),
    patches,
    flags: { setup: 'python set_up.py', timeout: '5', pythonPath: ['.'], testFile: FILES },
  });
  ready = await prepared({ bench, context });
});
afterAll(() => bench.remove());

async function execute(agent: string, rerun = 0): Promise<ExecuteSuiteResult & { readonly value: CandidateOutcomes }> {
  const column = ready.columns.find(({ name }) => name === agent);
  if (column === undefined) throw new Error(`no ${agent}`);
  const input = { ...context, prepared: ready.prepared, column, suite: ready.suite, files: null, rerun };
  const result = await asActivity(() => executeSuite({ services: bench.services, input }));
  return { ...result, value: await getJson({ store: bench.services.store, ref: result.outcomes }) };
}

const bound = (kind: string): Promise<string[]> =>
  readdir(join(bench.home, 'store', 'refs', kind)).catch((): string[] => []);

test('a set-up that fails on a candidate is its own failure, and is known from then on', async () => {
  const before = await bound('file-outcome');
  const { value, executed } = await execute('exits');
  const failure = { state: 'not-collected', outcomes: [], reason: expect.stringMatching(/exit code 1.*no compiler/s) };
  expect(value.files).toMatchObject(FILES.map((file) => ({ file, ...failure })));
  expect(executed).toBe(0);
  expect(await bound('set-up-failure')).toHaveLength(1);
  const trees = join(bench.home, 'work', 'trees');
  const { mtimeMs } = await stat(trees);
  expect(await execute('exits', 1)).toMatchObject({ value: { files: value.files } });
  // No tree was made for it a second time, and no outcome is bound that a mended set-up would meet.
  expect((await stat(trees)).mtimeMs).toBe(mtimeMs);
  expect(await bound('file-outcome')).toEqual(before);
  expect((await execute('harmless')).value.files).toMatchObject([{ state: 'ran' }, { state: 'ran' }]);
});

test('a set-up that was killed at its limit is tried again', async () => {
  const before = await bound('set-up-failure');
  const { value } = await execute('hangs');
  expect(value.files).toMatchObject([{ state: 'not-collected', reason: expect.stringContaining('timeout') }, {}]);
  expect(await bound('set-up-failure')).toEqual(before);
}, 30_000);

test('what a set-up leaves beside files and folders is no obstacle', async () => {
  expect((await execute('messy')).value.files).toMatchObject([{ state: 'ran' }, { state: 'ran' }]);
});

test('a candidate that takes the code under test away fails by itself', async () => {
  const { value } = await execute('gone');
  const failure = {
    state: 'not-collected',
    outcomes: [],
    reason: expect.stringMatching(/^colorsys was imported from/),
  };
  expect(value.files).toMatchObject([failure, failure]);
  expect(JSON.stringify(value.files.map(({ reason }) => reason))).not.toContain('/');
});
