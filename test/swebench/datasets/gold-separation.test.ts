import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', '..', '..', 'src');

/** What gives access to the tests that grade, and to what is known about candidates. */
const GUARDED = /['"][^'"]*\/(read-grading-rows|grading-file|known-results|read-known-results)\.[jt]s['"]/;

/** Who may have it: the import that writes it, what evaluates, and what scores a finished run. */
const MAY = [
  /^swebench\/datasets\/(import-dataset|separate-rows|read-grading-rows)\.ts$/,
  /^swebench\/predictions\/(read-known-results|known-results)\.ts$/,
  /^swebench\/(grading|evaluation)\//,
  /(^|\/)(evaluate|score-benchmark)[a-z-]*\.ts$/,
];

test('only what evaluates can load the tests that grade or the known results', async () => {
  const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const guarded: string[] = [];
  for (const name of files) {
    if (GUARDED.test(await readFile(join(SOURCE, name), 'utf8'))) guarded.push(name);
  }
  expect(guarded).toContain('swebench/datasets/read-grading-rows.ts');
  expect(guarded.filter((name) => !MAY.some((allowed) => allowed.test(name)))).toEqual([]);
});
