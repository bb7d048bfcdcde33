import { expect, test } from 'vitest';
import { type AdaptedRow, adaptRow } from '../../../src/swebench/datasets/adapt-row.js';
import type { GradingRow } from '../../../src/swebench/datasets/grading-row.js';
import { readPythonList } from '../../../src/swebench/datasets/python-list.js';
import type { SelectionRow } from '../../../src/swebench/datasets/selection-row.js';
import { liveRow, proRow, v5Row, verifiedRow } from './rows.js';

// The compiler holds this: a field of what grades in what selections see is an error here.
type Shared = Exclude<keyof SelectionRow & keyof GradingRow, 'schema' | 'instanceId'>;
type IsNever<T> = [T] extends [never] ? true : false;
const nothingShared: IsNever<Shared> = true;

function rowOf(adapted: AdaptedRow): { selection: SelectionRow; grading: GradingRow } {
  if (adapted.kind !== 'row') throw new Error(adapted.problem);
  return adapted;
}

test.each([
  ['v4', verifiedRow(1)],
  ['v5', v5Row],
  ['pro', proRow],
  ['live', liveRow],
])('nothing of what grades is in the selection of a row of shape %s', (shape, raw) => {
  const { selection, grading } = rowOf(adaptRow(raw));
  expect(nothingShared).toBe(true);
  expect(selection.shape).toBe(shape);
  expect(JSON.stringify(selection)).not.toContain('GOLD');
  expect(selection.issue).toContain('The parent link is not found.\r\nIt should be.');
  expect(grading.gradable).toBe(true);
  expect(grading.patch).toBe(raw.patch);
  expect(grading.testPatch).toBe(raw.test_patch);
  const lost = Object.keys(raw).filter((name) => /GOLD/.test(JSON.stringify(raw[name])) && !isKept({ grading, name }));
  expect(lost).toEqual([]);
});

function isKept({ grading, name }: { grading: GradingRow; name: string }): boolean {
  const own = ['patch', 'test_patch', 'fail_to_pass', 'pass_to_pass', 'eval_script'];
  return own.includes(name.toLowerCase()) || name in grading.others;
}

test('names of tests are read from lists, JSON and Python text', () => {
  expect(rowOf(adaptRow(verifiedRow(1))).grading.failToPass).toEqual([
    'tests/model_checks/test_relations.py::GOLD_a',
    'GOLD b (x["y"])',
  ]);
  expect(rowOf(adaptRow(proRow)).grading.failToPass).toEqual(['TestGOLD', "Test/GOLD's"]);
  expect(rowOf(adaptRow(liveRow)).grading.passToPass).toEqual(['GOLD_b']);
});

test('test commands are let through without the tests that grade', () => {
  expect(rowOf(adaptRow(v5Row)).selection.testCommands).toEqual([
    './tests/runtests.py --verbosity 2 --parallel 1',
    'pytest -rA',
  ]);
  expect(rowOf(adaptRow(liveRow)).selection.testCommands).toEqual(['pytest -rA', 'pytest -rA']);
});

test('agents on Pro are given requirements and interface, so a selection is too', () => {
  const { selection } = rowOf(adaptRow(proRow));
  expect(selection.issue).toMatch(
    /It should be\.\n\nRequirements:\n- The link.*\n\nNew interfaces introduced:\nNo new/,
  );
  expect(selection.imageTag).toBe('acme.slug-acme__slug-04998908');
});

test('a row without tests to grade with is selected for and not scored', () => {
  const { FAIL_TO_PASS: _names, ...raw } = verifiedRow(1);
  expect(rowOf(adaptRow(raw)).grading.gradable).toBe(false);
});

test.each([
  ['no row', 'text', 'not an object'],
  ['no id', { ...verifiedRow(1), instance_id: ' ' }, 'no instance_id'],
  ['an id that leaves its folder', { ...verifiedRow(1), instance_id: '../../etc/passwd' }, 'characters'],
  ['an id like an option', { ...verifiedRow(1), instance_id: '--help' }, 'characters'],
  ['a commit that git reads as an option', { ...verifiedRow(1), base_commit: '--output=x' }, 'base_commit'],
  ['no issue', { ...verifiedRow(1), problem_statement: null }, 'problem_statement'],
  ['names that are none', { ...verifiedRow(1), FAIL_TO_PASS: '__import__("os")' }, 'FAIL_TO_PASS'],
])('%s is told as a problem', (_, raw, problem) => {
  const adapted = adaptRow(raw);
  expect(adapted.kind === 'problem' && adapted.problem).toContain(problem);
});

test.each([
  ['[]', []],
  [" ['a', \"b's\",] ", ['a', "b's"]],
  [String.raw`['a\'b', "\u00e9\x41\n\d"]`, ["a'b", 'éA\n\\d']],
  ["['a' 'b']", null],
  ["['a', 1]", null],
  ["['a'", null],
  ["['a'] + x", null],
  [String.raw`['\Uffffffff']`, null],
])('a Python list %s', (text, items) => {
  expect(readPythonList(text)).toEqual(items);
});
