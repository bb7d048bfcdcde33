import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { prepareInstance } from '../../src/activities/prepare-instance.js';
import { exitCodeOf, isRetryable } from '../../src/errors.js';
import { type ActivityBench, asActivity, openActivityBench } from '../support/activity-bench.js';

let bench: ActivityBench;
afterEach(() => bench.remove());

/** A project with these files is prepared. */
async function prepare({
  files = {},
  flags = {},
  heartbeats = [],
}: {
  files?: Readonly<Record<string, string>>;
  flags?: Readonly<Record<string, unknown>>;
  heartbeats?: unknown[];
}) {
  bench = await openActivityBench({ files });
  const input = await bench.context({ flags });
  return asActivity(() => prepareInstance({ services: bench.services, input }), { heartbeats });
}

test('candidates first, then each test file on the base, each with a heartbeat', async () => {
  const heartbeats: unknown[] = [];
  const { candidates, baseTreeId } = await prepare({ heartbeats });
  expect(candidates).toMatchObject([{ kind: 'usable' }, { kind: 'usable' }]);
  expect(baseTreeId).toMatch(/^[0-9a-f]{40}$/);
  expect(heartbeats).toMatchObject([
    { phase: 'candidates', done: 2 },
    { phase: 'base', file: expect.stringMatching(/^tests\//), done: 0, total: 2 },
    { phase: 'base', total: 2 },
  ]);
});

test('tests that do not run on the base end it before a model is asked', async () => {
  const files = { 'tests/conftest.py': 'import no_such_requirement\n' };
  const error: unknown = await prepare({ files }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'TG-S01',
    what: expect.stringContaining('no_such_requirement'),
    meaning: expect.stringContaining('Nothing was spent'),
  });
  expect(isRetryable(error)).toBe(false);
});

test('a set-up command that fails on the base ends it with what the command said', async () => {
  const error: unknown = await prepare({
    flags: { setup: 'python -c "raise SystemExit(\'no compiler here\')"' },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'TG-S10',
    what: expect.stringContaining('no compiler here'),
    fix: expect.stringContaining('--setup'),
  });
  expect([exitCodeOf(error), isRetryable(error)]).toEqual([5, false]);
});

test('one test file that runs is enough', async () => {
  const files = { 'tests/test_broken.py': 'import slugs\nimport no_such_requirement\n' };
  await expect(prepare({ files })).resolves.toMatchObject({ candidates: [{}, {}] });
});

test('files without tests are no tests', async () => {
  const files = { 'tests/test_empty.py': 'import slugs\n' };
  const flags = { testFile: ['tests/test_empty.py'] };
  await expect(prepare({ files, flags })).rejects.toMatchObject({
    code: 'TG-S02',
    what: expect.stringContaining('No test was collected'),
  });
});

test('a candidate that cannot be used is told with its reason and does not stop the others', async () => {
  bench = await openActivityBench();
  const stale = join(bench.dir, 'stale.diff');
  await writeFile(stale, '--- a/slugs.py\n+++ b/slugs.py\n@@ -1,1 +1,1 @@\n-not what stands there\n+anything\n');
  const input = await bench.context({ agents: ['stale', 'right'], patches: { stale } });
  const { candidates } = await asActivity(() => prepareInstance({ services: bench.services, input }));
  expect(candidates).toMatchObject([
    { kind: 'excluded', agent: 'stale', reason: 'does-not-apply', detail: expect.stringContaining('slugs.py') },
    { kind: 'usable', agent: 'right', label: 'A' },
  ]);
});
