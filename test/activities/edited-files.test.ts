import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { getJson, putJson, putText } from '../../src/artifacts/values.js';
import type { CandidateOutcomes } from '../../src/core/outcome.js';
import type { Suite } from '../../src/core/suite.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';

const asserts = (value: string): string => `\n\ndef test_value():\n    assert ${value} == 1\n`;
const values = (value: number): string => `import slugs\n\nVALUE = ${value}\n\n\ndef test_base():\n    assert slugs\n`;

/** Who depends on `test_base.py`, and how. */
const DEPENDENT: Readonly<Record<string, string>> = {
  'tests/test_directly.py': `import slugs\nfrom test_base import VALUE\n${asserts('VALUE')}`,
  'tests/test_in_function.py':
    'import slugs\n\n\ndef test_it():\n    import test_base as base\n    assert base.VALUE == 1\n',
  'tests/test_by_helper.py': `import slugs, helpers.values\n${asserts('helpers.values.again()')}`,
  'tests/fixtures/test_by_fixture.py': 'import slugs\n\n\ndef test_it(value):\n    assert value == 1\n',
  'tests/test_by_name.py': `import importlib, slugs\nbase = importlib.import_module("test_base")\n${asserts('base.VALUE')}`,
  'tests/linked/test_by_link.py': `import slugs\nfrom elsewhere.values import VALUE\n${asserts('VALUE')}`,
};
const ALONE: Readonly<Record<string, string>> = {
  'tests/test_alone.py': `import slugs\n${asserts('len([slugs])')}`,
  // Only a function has the name.
  'tests/test_alike.py': 'import slugs\n\n\ndef test_base():\n    assert slugs\n',
};
const SUPPORT: Readonly<Record<string, string>> = {
  'tests/helpers/__init__.py': '',
  'tests/helpers/values.py': 'from helpers import deeper\n\n\ndef again():\n    return deeper.VALUE\n',
  'tests/helpers/deeper.py': 'from test_base import *\n',
  'tests/fixtures/conftest.py':
    'import pytest\n\n\n@pytest.fixture\ndef value():\n    import test_base\n    return test_base.VALUE\n',
  'shared/values.py': 'from test_base import VALUE\n',
};

let bench: ActivityBench;
let context: RunContext;
let ready: Awaited<ReturnType<typeof prepared>>;
beforeAll(async () => {
  bench = await openActivityBench({ files: { ...DEPENDENT, ...ALONE, ...SUPPORT, 'tests/test_base.py': values(1) } });
  const { repoDir } = bench.project;
  await symlink('../../shared', join(repoDir, 'tests', 'linked', 'elsewhere'));
  await execa('git', ['add', '--all'], { cwd: repoDir });
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  await execa('git', [...who, 'commit', '--quiet', '--message', 'link'], { cwd: repoDir });
  const testFile = [...Object.keys(DEPENDENT), ...Object.keys(ALONE), 'tests/test_base.py'];
  context = await bench.context({ agents: ['right'], flags: { testFile, pythonPath: ['.', 'tests'] } });
  ready = await prepared({ bench, context });
});
afterAll(() => bench.remove());

/** Runs the suite with this text of `test_base.py`; statuses by file. */
async function execute(text: string): Promise<{ statuses: Record<string, string>; executed: number; reused: number }> {
  const { store } = bench.services;
  const first = await getJson<Suite>({ store, ref: ready.suite });
  const files = { 'tests/test_base.py': await putText({ store, text }) };
  const suite = await putJson({ store, value: { ...first, step: first.step + 1, files } satisfies Suite });
  const [column] = ready.columns;
  if (column === undefined) throw new Error('no column');
  const input = { ...context, prepared: ready.prepared, column, suite, files: null, rerun: 0 };
  const { outcomes, executed, reused } = await asActivity(() => executeSuite({ services: bench.services, input }));
  const value = await getJson<CandidateOutcomes>({ store, ref: outcomes });
  const statuses = value.files.map((file) => [file.file, file.outcomes.map(({ status }) => status).join()]);
  return { statuses: Object.fromEntries(statuses), executed, reused };
}

test('an edited test module runs again with those that import it, and with nobody else', async () => {
  const before = await execute(`${values(1)}# edited\n`);
  expect(new Set(Object.values(before.statuses))).toEqual(new Set(['passed']));
  const after = await execute(values(2));
  const failed = Object.entries(after.statuses).flatMap(([file, status]) => (status === 'failed' ? [file] : []));
  expect(failed).toHaveLength(Object.keys(DEPENDENT).length);
  // Those, and the edited one itself.
  expect(after).toMatchObject({ executed: failed.length + 1, reused: Object.keys(ALONE).length });
});
