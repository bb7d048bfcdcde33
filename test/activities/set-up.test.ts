import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { unfinishedTrees } from '../../src/activities/kept-tree.js';
import { getJson } from '../../src/artifacts/values.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { CandidateOutcomes, TestOutcome } from '../../src/core/outcome.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';
import { hasBubblewrap } from '../support/sandboxes.js';

const bubblewrap = await hasBubblewrap();

/** Writes down what it sees; the tests look whether it still holds. */
const SET_UP = `import json, os
path = [os.path.relpath(folder) for folder in os.environ["PYTHONPATH"].split(os.pathsep)]
with open("built.json", "w") as file:
    json.dump({"path": path, "place": os.getcwd(), "isolated": os.environ["HOME"] == "/home/testgrad"}, file)
`;
const TEST_BUILT = `import json, os

import slugs

with open("built.json") as file:
    built = json.load(file)


def test_place_is_still_there():
    assert os.path.exists(os.path.join(built["place"], "slugs.py"))


def test_import_path_is_that_of_the_tests():
    own = [os.path.relpath(folder) for folder in os.environ["PYTHONPATH"].split(os.pathsep)]
    assert own[1:] == built["path"]


def test_sandbox_is_that_of_the_tests():
    assert built["isolated"] == (os.environ["HOME"] == "/home/testgrad")
`;

let bench: ActivityBench;
let trees: string;
beforeEach(async () => {
  bench = await openActivityBench({ files: { 'set_up.py': SET_UP, 'tests/test_built.py': TEST_BUILT } });
  trees = join(bench.home, 'work', 'trees');
});
afterEach(() => bench.remove());

/** What the tests say on a candidate with this environment, executed `times` times at once. */
async function outcomes({
  times = 1,
  change = {},
}: {
  times?: number;
  change?: Partial<InstanceSpec['environment']>;
} = {}): Promise<readonly TestOutcome[]> {
  const context = await bench.context({
    flags: { setup: 'python set_up.py', testFile: ['tests/test_built.py'] },
    change: (instance) => ({ ...instance, environment: { ...instance.environment, ...change } }),
  });
  const { prepared: ref, suite, columns } = await prepared({ bench, context });
  const [column] = columns;
  if (column === undefined) throw new Error('no column');
  const execute = async (rerun: number): Promise<CandidateOutcomes> => {
    const input = { ...context, prepared: ref, column, suite, files: null, rerun };
    const result = await asActivity(() => executeSuite({ services: bench.services, input }));
    return getJson({ store: bench.services.store, ref: result.outcomes });
  };
  const all = await Promise.all(Array.from({ length: times }, (_, rerun) => execute(rerun)));
  return all.flatMap(({ files }) => files.flatMap((file) => file.outcomes));
}

const ALL = ['passed', 'passed', 'passed'];
const statusesOf = (found: readonly TestOutcome[]): string[] => found.map(({ status }) => status);

test('a tree is set up anew for another import path', async () => {
  expect(statusesOf(await outcomes({ change: { pythonPath: ['.', 'tests'] } }))).toEqual(ALL);
  expect(statusesOf(await outcomes({ change: { pythonPath: ['tests', '.'] } }))).toEqual(ALL);
});

test.runIf(bubblewrap)('a tree is set up anew for another sandbox', async () => {
  expect(statusesOf(await outcomes({ change: { sandbox: 'bubblewrap' } }))).toEqual(ALL);
  expect(statusesOf(await outcomes({ change: { sandbox: 'none' } }))).toEqual(ALL);
});

test('without a sandbox a tree stays where it was set up, and is made once', async () => {
  const found = await outcomes({ times: 3, change: { sandbox: 'none' } });
  expect(statusesOf(found)).toEqual(Array(9).fill('passed'));
  // Of the base: the plain one and the one that was set up, with the link to it; of the candidate, the latter.
  const names = await readdir(trees);
  expect(names.filter((name) => /\.[0-9a-f-]{36}$/.test(name))).toHaveLength(2);
  expect(names).toHaveLength(5);
  expect(await unfinishedTrees(trees)).toEqual([]);
});

test('trees that a kill left half made are told from those in use', async () => {
  const [used, left] = ['a'.repeat(36), 'b'.repeat(36)].map((id) => `tree-key.${id}`) as [string, string];
  for (const name of [used, left, '.new-one', 'whole']) await mkdir(join(trees, name), { recursive: true });
  await symlink(used, join(trees, 'tree-key'));
  expect((await unfinishedTrees(trees)).sort()).toEqual([join(trees, '.new-one'), join(trees, left)]);
});
