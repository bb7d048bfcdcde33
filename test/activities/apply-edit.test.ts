import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEdit } from '../../src/activities/apply-edit.js';
import { getJson, getText, putJson } from '../../src/artifacts/values.js';
import type { Matrix } from '../../src/core/matrix.js';
import type { Operation, Suite } from '../../src/core/suite.js';
import {
  type ActivityBench,
  asActivity,
  openActivityBench,
  scored,
  type ToolCallSubject,
} from '../support/activity-bench.js';

// Line ends of Windows, a byte order mark, and no line end at its end: all of it stays.
const ODD =
  '\ufeff# coding: utf-8\r\nfrom slugs import slugify\r\n\r\n\r\ndef test_odd():\r\n    assert slugify("É") == ""\r\n\r\n\r\nNAMES = ["ü"]';

let bench: ActivityBench;
let call: (call: { readonly tool: string; readonly arguments: unknown }) => Promise<ToolCallSubject>;

beforeAll(async () => {
  bench = await openActivityBench({
    files: {
      'tests/test_odd.py': ODD,
      'tests/test_bytes.py': '# \u0000 is no text\nimport slugs\n',
      'tests/sizes.py': 'def sizes():\n    return [1, 2]\n',
      'tests/test_sizes.py':
        'import pytest\n\nfrom sizes import sizes\nfrom slugs import slugify\n\n\n@pytest.mark.parametrize("size", sizes())\ndef test_size(size):\n    assert slugify("a", max_length=size) == "a"\n',
    },
  });
  const secret = join(bench.dir, 'secret.py');
  await writeFile(secret, 'SECRET = "of the host"\n');
  await commitLink({ repoDir: bench.project.repoDir, path: 'tests/test_linked.py', target: secret });
  call = await scored({ bench, context: await bench.context() });
});
afterAll(() => bench.remove());

async function commitLink({ repoDir, path, target }: { repoDir: string; path: string; target: string }): Promise<void> {
  await symlink(target, join(repoDir, path));
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  for (const args of [
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'link'],
  ]) {
    await execa('git', [...who, ...args], { cwd: repoDir });
  }
}

const submission = (operations: readonly Operation[]) => ({
  diagnosis: 'Too few words.',
  failedDirection: 'short words',
  reuse: [],
  operations,
});

async function apply({ tool = 'submit_update', arguments: given }: { tool?: string; arguments: unknown }) {
  const input = await call({ tool, arguments: given });
  return asActivity(() => applyEdit({ services: bench.services, input }));
}

/** Why something is refused, as the workflow and as the model get it. */
async function refusal(given: Parameters<typeof apply>[0]): Promise<string> {
  const result = await apply(given);
  if (result.kind !== 'refused') throw new Error(`${result.kind}: ${JSON.stringify(given)}`);
  const told = await getText({ store: bench.services.store, ref: result.result });
  expect(told).toContain('The update was not applied');
  expect(result.reason.length).toBeLessThanOrEqual(1000);
  return told;
}

const create = (change: Partial<Operation>): Operation =>
  ({
    op: 'create',
    file: 'tests/test_slugs.py',
    name: 'test_new',
    source: 'def test_new():\n    assert slugify("a b") == "a-b"\n',
    ...change,
  }) as Operation;

test('an update is applied in place, and everything else stays byte for byte', async () => {
  const source = 'def test_new():\n    assert slugify("ö") == ""\n';
  const result = await apply({ arguments: submission([create({ file: 'tests/test_odd.py', source })]) });
  if (result.kind !== 'applied') throw new Error(result.reason);
  expect(result).toMatchObject({
    changedFiles: ['tests/test_odd.py'],
    // Five, one and two in the files that stay; in the changed one the old and the new test.
    tests: 10,
    operations: ['create tests/test_odd.py::test_new'],
    diagnosis: 'Too few words.',
    failedDirection: 'short words',
  });
  const suite = await getJson<Suite>({ store: bench.services.store, ref: result.suite });
  expect(suite).toMatchObject({ step: 1, changed: [{ op: 'create', name: 'test_new', step: 1 }] });
  expect(Object.keys(suite.files)).toEqual(['tests/test_odd.py']);
  const bytes = await bench.services.store.get(suite.files['tests/test_odd.py'] ?? { digest: '' });
  const text = Buffer.from(bytes).toString('utf8');
  const added = 'def test_new():\r\n    assert slugify("ö") == ""';
  expect(text).toContain(added);
  // Without the new definition and the blank lines before it, it is the file as it was.
  expect(text.replace(new RegExp(`(\\r\\n)*${added.replace(/[()"[\]]/g, '\\$&')}(\\r\\n)?`), '')).toBe(ODD);
});

test('a deletion needs evidence', async () => {
  const remove = (obsoleteBecause: string): Operation => ({
    op: 'delete',
    file: 'tests/test_slugs.py',
    test: 'test_max_length',
    obsoleteBecause,
  });
  expect(await refusal({ arguments: submission([remove('It is old.')]) })).toContain('deleted only with evidence');
  const quoted = remove('The issue says: "A single word that is longer than max_length is cut".');
  expect(await apply({ arguments: submission([quoted]) })).toMatchObject({ kind: 'applied' });
});

test('definitions that are there are not created again, ones that are not there are not updated', async () => {
  const twice = create({ name: 'test_max_length', source: 'def test_max_length():\n    assert True\n' } as never);
  expect(await refusal({ arguments: submission([twice]) })).toMatch(/Operation 1: .*test_max_length/);
  const inClass = create({
    op: 'update',
    test: 'TestSlugify::test_gone',
    source: 'def test_gone(self):\n    pass\n',
    staleBecause: 'x',
  } as never);
  expect(await refusal({ arguments: submission([create({}), inClass]) })).toMatch(/Operation 2: .*test_gone/);
});

test('what is no Python, or cannot be collected anywhere, comes back with the reason', async () => {
  const broken = create({ source: 'def test_new():\n    assert slugify("a" == "a"\n' });
  expect(await refusal({ arguments: submission([broken]) })).toMatch(/Operation 1|cannot be collected/);
  const decorated = create({ source: '@pytest.mark.usefixtures(undefined_name)\ndef test_new():\n    pass\n' });
  expect(await refusal({ arguments: submission([decorated]) })).toContain('undefined_name');
});

test('files that are no text, and files that are no tests, are not edited', async () => {
  expect(await refusal({ arguments: submission([create({ file: 'tests/test_bytes.py' })]) })).toMatch(
    /not text|null|NUL/i,
  );
  expect(await refusal({ arguments: submission([create({ file: 'setup.py' })]) })).toContain('product code');
});

test('a link of the base shows nothing of the host', async () => {
  const create = {
    op: 'create',
    file: 'tests/test_linked.py',
    name: 'test_new',
    source: 'def test_new():\n    pass\n',
  };
  const result = await apply({ arguments: submission([create as Operation]) });
  if (result.kind !== 'applied') throw new Error(result.reason);
  const suite = await getJson<Suite>({ store: bench.services.store, ref: result.suite });
  const ref = suite.files['tests/test_linked.py'] ?? { digest: '' };
  expect(await getText({ store: bench.services.store, ref })).toBe('def test_new():\n    pass\n');
});

test('only a submission that can be read is applied', async () => {
  expect(await refusal({ tool: 'submit_update', arguments: '{"diagnosis": ' })).toMatch(/JSON/);
  expect(await refusal({ tool: 'submit_update', arguments: { diagnosis: 'x' } })).toContain('operations');
  expect(await refusal({ tool: 'read_file', arguments: { path: 'slugs.py' } })).toContain('read_file');
});

test('a test that is evidence is not changed, by itself or with its class', async () => {
  const { store } = bench.services;
  const update = (test: string, source: string): Operation => ({
    op: 'update',
    file: 'tests/test_slugs.py',
    test,
    source,
    staleBecause: 'It should be stricter.',
  });
  const words = (line: string) => `def test_words(self):\n    ${line}\n`;
  const nothing =
    '@pytest.mark.parametrize("text", ["", "  ", "!?"])\ndef test_nothing(self, text):\n    assert slugify(text) == ""\n';
  const wholeClass = (line: string) =>
    `class TestSlugify:\n${`${words(line)}\n${nothing}`.replace(/^(?=.)/gm, '    ')}`;
  const attempt = async (operation: Operation) => {
    const input = await call({ tool: 'submit_update', arguments: submission([operation]) });
    const matrix = await getJson<Matrix>({ store, ref: input.matrix });
    const judgement = { class: 'issue', quote: '', reason: 'r' } as const;
    const rows = matrix.rows.map((row) =>
      row.testId === 'tests/test_slugs.py::TestSlugify::test_words'
        ? { ...row, kind: 'differential' as const, judgement }
        : row,
    );
    const judged = { ...input, matrix: await putJson({ store, value: { ...matrix, rows } }) };
    return asActivity(() => applyEdit({ services: bench.services, input: judged }));
  };
  for (const operation of [
    update('TestSlugify::test_words', words('assert slugify("A b") == "a-b"')),
    update('TestSlugify', wholeClass('assert slugify("A b") == "a-b"')),
  ]) {
    expect(await attempt(operation)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/TestSlugify::test_words cannot be changed: .* it is evidence/),
    });
  }
  // The class may change around it.
  const around = update(
    'TestSlugify',
    wholeClass('assert slugify("Hello, World") == "hello-world"').replace('!?', '?'),
  );
  expect(await attempt(around)).toMatchObject({ kind: 'applied' });
});

test('a change of shared files keeps no test file from being collected that could be before', async () => {
  const update = (source: string): Operation => ({
    op: 'update',
    file: 'tests/sizes.py',
    test: 'sizes',
    source,
    staleBecause: 'Other sizes matter.',
  });
  const told = await refusal({ arguments: submission([update('def sizes():\n    return [1] + no_such_name\n')]) });
  expect(told).toContain('tests/test_sizes.py can no longer be collected on any candidate with this update');
  expect(told).toContain('no_such_name');
  // tests/test_bytes.py could be collected nowhere before, and that is not the update's fault.
  expect(await apply({ arguments: submission([update('def sizes():\n    return [1, 3]\n')]) })).toMatchObject({
    kind: 'applied',
    changedFiles: ['tests/sizes.py'],
  });
});
