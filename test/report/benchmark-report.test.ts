import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { benchmarkSummary } from '../../src/core/metrics/benchmark-summary.js';
import type { InstanceRecord, Separation } from '../../src/core/metrics/record.js';
import { NO_USAGE } from '../../src/core/usage.js';
import { points } from '../../src/report/benchmark-cells.js';
import { renderInputReport } from '../../src/report/benchmark-inputs.js';
import { renderBenchmark, renderBenchmarkCsv, renderBenchmarkMarkdown } from '../../src/report/benchmark-render.js';
import { benchmarkReport } from '../../src/report/benchmark-report.js';
import { readInstanceRecord } from '../../src/report/instance-record-schema.js';
import type { InputReport } from '../../src/swebench/predictions/input-report.js';
import { recordOf } from '../core/metrics/records.js';

const LETTERS = ['yyyn', 'ynny', 'nyyn', 'nnnn', 'yyyy', 'nnny', 'y?nn', 'yyny'];

const separation: Separation = {
  testId: 't.py::test_a',
  origin: 'created',
  class: 'issue',
  step: 1,
  passed: [0],
  failed: [3],
  deciding: true,
};

/** Records of three methods over eight instances, with all that a table shows. */
function recordsOf(): InstanceRecord[] {
  return LETTERS.flatMap((letters, index): InstanceRecord[] => {
    const instanceId = `acme__slug-${index + 1}`;
    const right = Math.max(0, letters.indexOf('y'));
    const testgrad = recordOf({
      instanceId,
      letters,
      method: 'testgrad',
      chosen: index === 3 ? null : right,
      decidedBy: index === 3 ? 'error' : index === 4 ? 'equivalent' : index === 0 ? 'existing-test' : 'created-test',
      usage: { ...NO_USAGE, calls: 10 + index, inputTokens: 600_000, outputTokens: 70_000 + index, usd: 0.2 },
      durations: { wallMs: 720_000 + index * 60_000, modelMs: null, executionMs: null },
      separations: index === 3 || index === 4 ? [] : [{ ...separation, step: index % 3 }],
      memory: index < 3 ? [{ step: 2, momentumTokens: 40 + index, rawTokens: 4000 }] : [],
    });
    const single = { ...testgrad, method: 'single', chosen: 0, decidedBy: 'rule' as const, usage: NO_USAGE };
    const random = { ...single, method: 'random', chosen: null, among: [0, 1, 2, 3], decidedBy: 'bound' as const };
    const bare = { separations: [], memory: [] };
    const two = {
      ...testgrad,
      candidates: testgrad.candidates.slice(0, 2),
      chosen: letters[1] === 'y' ? 1 : 0,
      ...bare,
    };
    return [testgrad, ...(index === 7 ? [] : [{ ...single, ...bare }]), { ...random, ...bare }, two];
  });
}

const expected = LETTERS.map((_, index) => `acme__slug-${index + 1}`);
const summary = benchmarkSummary({ records: recordsOf(), expected, reference: 'single' });
const report = benchmarkReport(summary);

test.each([80, 120])('the report at %i columns', async (columns) => {
  const text = renderBenchmark({ report, columns, colour: false });
  await expect(text).toMatchFileSnapshot(`golden/benchmark-${columns}.txt`);
  if (columns === 120)
    for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
});

test('the report as Markdown', async () => {
  await expect(renderBenchmarkMarkdown(report)).toMatchFileSnapshot('golden/benchmark.md');
});

test('the tables as CSV, unrounded', async () => {
  const files = report.tables.map((table) => `# ${table.id}\n${renderBenchmarkCsv(table).replaceAll('\r\n', '\n')}`);
  await expect(files.join('\n')).toMatchFileSnapshot('golden/benchmark-csv.txt');
});

test('names of strangers stay inert', () => {
  const evil = recordsOf().map((record) => ({
    ...record,
    method: record.method === 'testgrad' ? '=HYPERLINK("x"),\u001b[2J|`' : record.method,
  }));
  const shown = benchmarkReport(benchmarkSummary({ records: evil, expected, reference: 'single' }));
  const [methods] = shown.tables;
  expect(methods && renderBenchmarkCsv(methods)).toContain(`"'=HYPERLINK(""x""),`);
  expect(renderBenchmark({ report: shown, columns: 120, colour: false })).not.toContain('\u001b');
  expect(renderBenchmarkMarkdown(shown)).toContain('| =HYPERLINK("x"),\\|\\` |'.replace('| =', '| \\='));
});

test.each([
  [0.05, '+5.0'],
  [-0.016, '-1.6'],
  [0, '0.0'],
  [-0.0001, '0.0'],
  [0.0001, '0.0'],
])('%d is %s points', (difference, text) => {
  expect(points(difference)).toBe(text);
});

test('records are read back as they were written, and typing errors are told', () => {
  for (const record of recordsOf()) {
    expect(readInstanceRecord(JSON.parse(JSON.stringify(record)))).toEqual({ kind: 'record', record });
  }
  const record = recordOf({ instanceId: 'i', letters: 'yn' });
  expect(readInstanceRecord({ ...record, chosen: 2 })).toMatchObject({ problem: 'there is no candidate 2 of 2' });
  expect(readInstanceRecord({ ...record, choosen: 1 })).toMatchObject({ problem: expect.stringContaining('choosen') });
  expect(readInstanceRecord(null)).toMatchObject({ kind: 'problem' });
});

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `acme__slug-${index + 1}`);
const clean = { missing: [], empty: [], duplicates: [], fenced: [], prose: [], noDiff: [] };

const INPUTS: InputReport = {
  schema: 'testgrad.input-report/1',
  dataset: {
    name: 'verified',
    split: 'test',
    revision: 'c'.repeat(40),
    instances: 500,
    gradable: 498,
    problems: [{ place: 'line 7', instanceId: null, problem: 'no instance_id' }],
  },
  sources: [
    {
      name: 'sonar',
      given: 'sonar=preds/sonar.jsonl',
      layout: 'rows',
      agents: [
        {
          ...clean,
          agent: 'sonar',
          patches: 490,
          missing: ids(7),
          empty: ids(3),
          prose: ids(1),
          duplicates: [{ instanceId: 'acme__slug-9', places: ['line 40', 'line 481'], same: false }],
        },
      ],
      malformed: [{ place: 'line 500', problem: 'not JSON (unexpected end)' }],
      otherFields: [],
      unknown: [
        { instanceId: 'ACME__slug-1', closest: 'acme__slug-1' },
        { instanceId: 'evil\u001b[2J', closest: null },
      ],
      notChosen: 0,
    },
    {
      name: 'trae',
      given: 'trae.jsonl',
      layout: 'trae',
      agents: [
        { ...clean, agent: 'trae-1', patches: 500 },
        { ...clean, agent: 'trae-2', patches: 500, noDiff: ids(2), fenced: ids(1) },
      ],
      malformed: [],
      otherFields: [],
      unknown: [],
      notChosen: 12,
    },
  ],
  instances: { chosen: 500, complete: 490, partial: 9, none: ['acme__slug-4'], identical: 3 },
  clean: false,
};

test('what was found in the inputs', async () => {
  const text = renderInputReport({ report: INPUTS, columns: 80 });
  await expect(text).toMatchFileSnapshot('golden/benchmark-inputs-80.txt');
  expect(text).not.toContain('\u001b');
  for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(80);
});
