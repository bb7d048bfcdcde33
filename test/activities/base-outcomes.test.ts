import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { BASE } from '../../src/core/candidate.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';

/** A library of the machine that no digest knows of: tests read where its file should be from the set-up. */
const LIBRARY = 'import os\nIS_THERE = os.path.exists(open("library.txt").read().strip())\n';
const TESTS: Readonly<Record<string, string>> = {
  'tests/test_fine.py': 'import slugs\n\n\ndef test_fine():\n    assert slugs\n',
  'tests/test_import.py': 'import library, slugs\nassert library.IS_THERE\n\n\ndef test_it():\n    assert slugs\n',
  'tests/test_none.py': 'import library, slugs\nif library.IS_THERE:\n    def test_it():\n        assert slugs\n',
  'tests/test_hangs.py':
    'import library, slugs, time\n\n\ndef test_it():\n    time.sleep(0 if library.IS_THERE else 60)\n    assert slugs\n',
  'tests/test_killed.py':
    'import library, slugs, os\n\n\ndef test_it():\n    assert library.IS_THERE or os.kill(os.getpid(), 9)\n',
};

let bench: ActivityBench;
let library: string;
beforeEach(async () => {
  bench = await openActivityBench({ files: { 'library.py': LIBRARY, 'library.txt': 'nowhere', ...TESTS } });
  library = join(bench.dir, 'library');
});
afterEach(() => bench.remove());

/** A run of these test files, without a sandbox, so that they see the machine's library. */
async function contextOf(testFile: readonly string[]): Promise<RunContext> {
  const setup = `python -c "open('library.txt', 'w').write('${library}')"`;
  const flags = { sandbox: 'none', setup, testFile, pythonPath: ['.'], timeout: '4' };
  return bench.context({ flags });
}

test.for([
  ['TG-S01', 'tests/test_import.py'],
  ['TG-S02', 'tests/test_none.py'],
] as const)('outcomes of a suite that is refused with %s are not kept', async ([code, file]) => {
  const context = await contextOf([file]);
  await expect(prepared({ bench, context })).rejects.toMatchObject({ code });
  await writeFile(library, '');
  expect(await prepared({ bench, context })).toMatchObject({ candidates: [{}, {}] });
});

test('what a busy machine does to the base holds for one execution of the workflow', async () => {
  const files = ['tests/test_killed.py', 'tests/test_fine.py', 'tests/test_hangs.py', 'tests/test_import.py'];
  const context = await contextOf(files);
  const { prepared: ref, suite, baseTreeId } = await prepared({ bench, context });
  const outcomes = join(bench.home, 'store', 'refs', 'file-outcome');
  // What ran, and what failed by itself.
  expect(await readdir(outcomes)).toHaveLength(2);

  const column = { id: BASE, treeId: baseTreeId, name: BASE };
  const input = { ...context, prepared: ref, column, suite, files: null, rerun: 0 };
  const execute = (env?: MockActivityEnvironment) =>
    asActivity(() => executeSuite({ services: bench.services, input }), env === undefined ? {} : { env });
  expect(await execute()).toMatchObject({ executed: 0, reused: 4 });

  await writeFile(library, '');
  const again = new MockActivityEnvironment({ workflowExecution: { workflowId: 'test', runId: 'another' } });
  expect(await execute(again)).toMatchObject({ executed: 2, reused: 2 });
  expect(await readdir(outcomes)).toHaveLength(4);
});
