import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXPLANATIONS } from '../../src/cli/explanations.js';
import { printFailure } from '../../src/cli/failure.js';
import { type ErrorCode, exitCodeOf, TestgradError } from '../../src/errors.js';

/**
 * Every code with the test that brings it about. The tests of `test/docker` need a daemon and run with
 * `npm run test:docker`.
 */
const PROVOKED: Readonly<Record<ErrorCode, string>> = {
  'TG-I00': 'cli/bad-input',
  'TG-I01': 'cli/bad-input',
  'TG-I02': 'cli/bad-input',
  'TG-I03': 'cli/bad-input',
  'TG-I06': 'swebench/predictions/collect-inputs',
  'TG-I07': 'swebench/predictions/collect-inputs',
  'TG-I08': 'swebench/predictions/collect-inputs',
  'TG-I09': 'swebench/predictions/collect-inputs',
  'TG-I10': 'swebench/predictions/collect-inputs',
  'TG-I11': 'cli/bad-input',
  'TG-I13': 'cli/config',
  'TG-I14': 'cli/bad-input',
  'TG-I15': 'swebench/datasets/hub',
  'TG-I16': 'cli/bad-input',
  'TG-I17': 'cli/bad-input',
  'TG-I18': 'swebench/evaluate/evaluate-run',
  'TG-I19': 'repository/trees',
  'TG-I20': 'swebench/predictions/collect-inputs',
  'TG-I21': 'swebench/datasets/import-dataset',
  'TG-E01': 'cli/docker-missing',
  'TG-E02': 'cli/docker-missing',
  'TG-E03': 'artifacts/file-store',
  'TG-E04': 'docker/images',
  'TG-E05': 'docker/images',
  'TG-E06': 'cli/usage',
  'TG-E07': 'cli/bad-input',
  'TG-E08': 'cli/bad-input',
  'TG-E10': 'artifacts/s3-store',
  'TG-E11': 'artifacts/s3-store',
  'TG-M01': 'cli/bad-input',
  'TG-M02': 'llm/openai-model',
  'TG-M03': 'llm/openai-model',
  'TG-M04': 'llm/openai-model',
  'TG-M05': 'llm/openai-model',
  'TG-M06': 'llm/openai-model',
  'TG-M07': 'llm/openai-model',
  'TG-M08': 'llm/recorded-session',
  'TG-S01': 'activities/prepare-instance',
  'TG-S02': 'activities/prepare-instance',
  'TG-S03': 'cli/bad-input',
  'TG-S08': 'activities/execute-suite',
  'TG-S09': 'activities/execute-suite',
  'TG-S10': 'activities/prepare-instance',
  'TG-T01': 'cli/bad-input',
  'TG-T02': 'cli/on-a-server',
  'TG-T04': 'workers/connection',
  'TG-T05': 'cli/bad-input',
  'TG-T06': 'workers/local-worker',
  'TG-T07': 'workers/activity-interceptor',
  'TG-R04': 'cli/finished-run',
  'TG-R05': 'cli/usage',
  'TG-R06': 'cli/on-a-server',
  'TG-R07': 'artifacts/file-store',
  'TG-X01': 'cli/run-state',
};

/** What a script reads of a failure, fixed: changing one breaks somebody's. Codes that are not named end with the letter's. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  ...{ I: 2, E: 5, M: 5, S: 5, T: 5, R: 2, X: 1 },
  ...{ 'TG-E03': 6, 'TG-M01': 4, 'TG-M02': 4, 'TG-M08': 2, 'TG-T07': 1, 'TG-R06': 3, 'TG-R07': 5 },
};

const codes = Object.keys(EXPLANATIONS) as ErrorCode[];
const source = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test.each(codes)('%s is brought about by the test that the catalogue names, and is explained', (code) => {
  const name = PROVOKED[code];
  const text = source(`../${name}.${name.startsWith('docker/') ? 'docker' : 'test'}.ts`);
  expect(text).toContain(code);
  expect(EXPLANATIONS[code].length).toBeGreaterThan(30);
});

test.each(codes)('%s prints its code, what, meaning and fix, and ends with its exit code', (code) => {
  const lines: string[] = [];
  const terminal = { note: (line: string) => lines.push(line) } as unknown as Parameters<
    typeof printFailure
  >[0]['terminal'];
  const error = new TestgradError({ code, what: 'What.', meaning: 'Meaning.', fix: 'Do this.' });
  const exitCode = printFailure({ error, terminal, verbose: false });
  expect(lines).toEqual([`${code}  What.`, '        Meaning.', '  Fix:  Do this.']);
  expect(exitCode).toBe(EXIT_CODES[code] ?? EXIT_CODES[code.charAt(3)]);
  expect(exitCode).toBe(exitCodeOf(error));
});

test('every place that makes an error says what to do', () => {
  const root = new URL('../../src/', import.meta.url);
  const without: string[] = [];
  let places = 0;
  for (const file of globSync('**/*.ts', { cwd: root })) {
    const text = readFileSync(new URL(file, root), 'utf8');
    for (const found of text.matchAll(/new \w*Error\(\{/g)) {
      const made = text.slice(found.index, text.indexOf('});', found.index));
      // One without words only stands for its code.
      if (!made.includes('code') || made.includes("what: ''")) continue;
      places += 1;
      if (!/\bfix\b/.test(made) || /fix: ''/.test(made)) without.push(`${file}: ${made.slice(0, 80)}`);
    }
  }
  expect(places).toBeGreaterThan(60);
  expect(without).toEqual([]);
});
