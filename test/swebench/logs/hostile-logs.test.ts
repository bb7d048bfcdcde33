import { expect, test } from 'vitest';
import { gradeLog } from '../../../src/swebench/grading/grade-log.js';
import { LOG_PARSER_NAMES, parserNamed } from '../../../src/swebench/logs/parsers.js';

const MANY = 200_000;

/** What a test can print to make expressions that backtrack take hours. */
const HOSTILE = {
  spaces: `PASSED a.py::t ${' '.repeat(MANY)}.py:x`,
  underscores: `${'_ '.repeat(MANY)}.py: ${'_'.repeat(MANY)}`,
  brackets: `PASSED ${'['.repeat(MANY)}${']['.repeat(MANY)}`,
  'messages without an end': `a${' ... Testing against Django installed in '.repeat(20_000)}`,
  'messages on many lines': 'a ... Testing against Django installed in x silenced).\n'.repeat(20_000),
  'server errors': `a${' ... Internal Server Error: /x/'.repeat(20_000)}\nnot ok`,
  digits: `Executed ${'1'.repeat(MANY)} Tests: ${' '.repeat(MANY)}Test Suites: ${'1 a, '.repeat(40_000)}`,
} as const;

test.for(Object.keys(HOSTILE) as (keyof typeof HOSTILE)[])('%s are graded in a moment by every parser', (name) => {
  const log = `>>>>> Start Test Output\n${HOSTILE[name]}\n>>>>> End Test Output\n`;
  const startedAt = performance.now();
  for (const parserName of LOG_PARSER_NAMES) {
    const parser = parserNamed(parserName);
    if (parser === null) throw new Error(parserName);
    const expected = { failToPass: ['x'], passToPass: [] };
    for (const rules of ['v4', 'v5'] as const) {
      const grade = gradeLog({ log, parser, rules, evalType: 'pass_and_fail', expected });
      expect(grade.kind === 'graded' && grade.report.resolved).toBe(false);
    }
  }
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
