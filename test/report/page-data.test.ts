import { expect, test } from 'vitest';
import { renderCsv } from '../../src/report/csv-report.js';
import { benchmarkPage, repositoryOf } from '../../src/report/page-data-benchmark.js';
import { fileDiffs } from '../../src/report/page-data-diffs.js';
import { type InstanceMaterial, instancePage, noMaterial } from '../../src/report/page-data-instance.js';
import { recordOf } from '../core/metrics/records.js';
import { decision, ISSUE_SENTENCE, MATRIX, NEW_TEST, row, SUITE } from './fixture.js';

const ids = { id: 'r1', runId: 'r1', title: 'shop: an issue' };
const page = (change: Partial<InstanceMaterial> = {}) =>
  instancePage({ ...noMaterial(ids), decision: decision(), matrix: MATRIX, suite: SUITE, ...change });

test('the selected candidate is the first column, those in the lead follow, the base is the last', () => {
  const { matrix, candidates } = page();
  expect(matrix?.columns.map(({ title, role }) => `${title}: ${role}`)).toEqual([
    ...['codex: selected', 'human: leader', 'claude: other', 'openhands: other', 'base: base'],
  ]);
  expect(candidates.map(({ agent }) => agent)).toEqual(['codex', 'human', 'claude', 'openhands', 'empty-handed']);
});

test('deciding rows come before other evidence, and what is no evidence comes after it', () => {
  const { matrix } = page();
  expect(matrix?.rows.map(({ role }) => role)).toEqual(['deciding', 'evidence', 'not-evidence', 'flaky']);
  expect(matrix?.rows[0]).toMatchObject({ testId: NEW_TEST, quote: ISSUE_SENTENCE });
  expect(matrix?.rows[0]?.cells.map(({ mark }) => mark)).toEqual(['passed', 'passed', 'failed', 'failed', 'failed']);
  expect(matrix?.uniform).toMatchObject([{ file: 'tests/test_old.py', tests: { length: 34 } }]);
});

test('the sentence names the deciding test, who passes and who fails it', () => {
  expect(page().outcome?.sentence).toBe(
    'TestParentLink::test_onetoone_parent (created at step 2) passes on codex and human and fails on claude and openhands.',
  );
  expect(page({ matrix: null }).outcome?.sentence).toBe('');
});

test('one test in many classes is one row with all its ids, and its first message', () => {
  const statuses = ['failed', 'passed'] as const;
  const rows = ['A', 'B', 'C'].map((name) => row({ testId: `t.py::${name}::test_x`, statuses }));
  const { matrix } = page({ matrix: { ...MATRIX, rows } });
  expect(matrix?.rows).toHaveLength(1);
  expect(matrix?.rows[0]?.ids).toEqual(rows.map(({ testId }) => testId));
});

test('a run in work is shown without a decision', () => {
  const { outcome, candidates, matrix } = instancePage({
    ...noMaterial(ids),
    candidates: decision().candidates,
    leaders: ['c1', 'c2'],
    matrix: MATRIX,
  });
  expect(outcome).toBeNull();
  expect(candidates.map(({ selected }) => selected)).not.toContain(true);
  expect(matrix?.columns.map(({ role }) => role)).toEqual(['leader', 'leader', 'other', 'other', 'base']);
});

test('escape sequences and characters that cannot be seen are in no text of the data', () => {
  const evil = 'a\u001b[2Jb\u202ec\u200bd';
  const data = page({
    title: evil,
    issue: evil,
    decision: decision({ reason: evil, warnings: [evil], instance: evil }),
    conversations: [{ role: 'checker', step: 0, conversation: { messages: [{ role: 'user', content: evil }] } }],
    patches: new Map([['c1', `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${evil}\n+y\n`]]),
    suiteDiffs: new Map([[1, `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${evil}\n+y\n`]]),
    testPatch: evil,
  });
  const text = JSON.stringify(data);
  expect(text).toContain('abcd');
  expect(text).not.toMatch(/\\u001b|\u202e|\u200b/);
});

const patch = (...lines: readonly string[]): string =>
  `--- a/m.py\n+++ b/m.py\n@@ -1,3 +1,${2 + lines.length} @@\n same\n-old\n${lines.map((line) => `+${line}\n`).join('')} end\n`;

test('a line is its candidate’s own when no other tree has it in the file, however it is indented', () => {
  const [file] = fileDiffs([
    { id: 'c1', treeId: 't1', patch: patch('shared', 'own()', '') },
    { id: 'c2', treeId: 't2', patch: patch('  shared') },
    { id: 'c3', treeId: 't2', patch: patch('  shared') },
  ]);
  const own = file?.candidates.map(({ hunks }) =>
    hunks.flatMap(({ lines }) => lines.filter(({ only }) => only).map(({ text }) => text)),
  );
  expect(own).toEqual([['own()'], [], []]);
  expect(file?.candidates.map(({ hunks }) => hunks.map(({ common }) => common))).toEqual([[false], [true], [true]]);
});

test('candidates that make the same change own its lines together', () => {
  const [file] = fileDiffs([
    { id: 'c1', treeId: 't1', patch: patch('both') },
    { id: 'c2', treeId: 't1', patch: patch('both') },
  ]);
  expect(
    file?.candidates.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)).filter(({ only }) => only),
  ).toHaveLength(4);
});

test('a patch that cannot be read costs nothing but itself', () => {
  expect(fileDiffs([{ id: 'c1', treeId: 't1', patch: '@@ -1 +1 @@\nrubbish' }])).toEqual([]);
});

test('wrong picks, near misses and differences between methods are flagged', () => {
  const records = [
    recordOf({ instanceId: 'o__r-1', letters: 'ny', chosen: 0 }),
    recordOf({ instanceId: 'o__r-2', letters: 'ny', chosen: 1, decidedBy: 'fallback' }),
    recordOf({ instanceId: 'o__r-3', letters: 'ny', chosen: 1 }),
    recordOf({ instanceId: 'o__r-4', letters: 'nn', chosen: null, decidedBy: 'error' }),
    recordOf({ instanceId: 'o__r-1', method: 'other', letters: 'ny', chosen: 1 }),
  ];
  const { instances, methods, repositories, picks } = benchmarkPage({
    records,
    errors: [{ instance_id: 'o__r-4', method: 'm', n: 2, code: 'TG-M06', message: 'refused' }],
    expected: ['o__r-1', 'o__r-2', 'o__r-3', 'o__r-4'],
    reference: 'm',
    detailed: new Set(['o__r-3']),
  });
  expect(methods).toEqual(['m', 'other']);
  expect(instances.map(({ ends }) => ends[0]?.flag)).toEqual(['wrong-pick', 'near-miss', null, null]);
  expect(instances.map(({ different }) => different)).toEqual([true, false, false, false]);
  expect(instances.map(({ detailed }) => detailed)).toEqual([false, false, true, false]);
  expect(instances.map(({ ends }) => ends[0]?.error)).toEqual(['', '', '', 'TG-M06 refused']);
  expect(repositories).toMatchObject([{ repository: 'o/r', instances: 4, resolved: 2, fallbacks: 1, errors: 1 }]);
  expect(picks).toEqual([
    { agent: 'a1', picked: 1, resolved: 0 },
    { agent: 'a2', picked: 2, resolved: 2 },
  ]);
});

test('the repository of an instance is told by its id', () => {
  expect(['django__django-12325', 'a__b_c-d-7', 'plain'].map(repositoryOf)).toEqual([
    'django/django',
    'a/b_c-d',
    'plain',
  ]);
});

test('CSV has a line for each test with its marks, and words that look like formulas are inert', () => {
  const rows = [row({ testId: '=cmd|x::t', statuses: ['failed', 'passed'] }), ...MATRIX.rows.slice(0, 1)];
  const text = renderCsv({ benchmark: null, instances: [page({ matrix: { ...MATRIX, rows } })] });
  expect(text.split('\r\n').slice(0, 3)).toEqual([
    'test,role,origin,step,class,codex,human,claude,openhands,base',
    "'=cmd|x::t,differential,original,0,,passed,missing,failed,missing,passed",
    'tests/test_old.py::test_0,uniform,,,,passed,passed,passed,passed,passed',
  ]);
});

test('CSV of a benchmark has a line for each instance and method', () => {
  const records = [recordOf({ instanceId: 'o__r-1', letters: 'n?', chosen: 1 })];
  const benchmark = benchmarkPage({ records, errors: [], expected: ['o__r-1'], reference: 'm', detailed: new Set() });
  const [head, line] = renderCsv({ benchmark, instances: [] }).split('\r\n');
  expect(head).toBe('instance,method,result,decided by,selected,flag,steps,tokens,minutes,test,a1,a2');
  expect(line).toBe('o__r-1,m,unknown,created-test,a2,,1,0,1,,unresolved,unknown');
});
