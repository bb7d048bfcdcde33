import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeRunFolder } from '../../src/report/run-folder.js';
import { benchmarkRecords } from '../page/records.js';
import { decision, MATRIX } from '../report/fixture.js';
import { runCli } from './run-cli.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'testgrad-formats-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const cli = (...args: string[]) => runCli({ args, home });

/** A run's folder as somebody may have copied it here. */
async function copiedRun(): Promise<string> {
  const dir = join(home, 'copied');
  const nothing = { suites: [], momenta: [], conversations: [], winnerPatch: null, decidingFiles: [] };
  await writeRunFolder({ dir, record: { ...nothing, decision: decision(), matrices: [MATRIX] } });
  return dir;
}

test('a copied folder is reported on as Markdown, JSON and CSV, without a store', async () => {
  const dir = await copiedRun();
  const markdown = await cli('report', dir);
  expect(markdown.stdout).toMatch(/^## TestGRAD: codex/);
  const document = JSON.parse((await cli('report', dir, '--format', 'json')).stdout);
  expect(document).toMatchObject({ schema: 'testgrad.page/1', run: { id: decision().runId, state: 'finished' } });
  expect(document.instances[0].outcome.selected).toBe('codex');
  const out = join(home, 'matrix.csv');
  const csv = await cli('report', dir, '--format', 'csv', '--out', out, '--json');
  expect(JSON.parse(csv.stdout)).toMatchObject({ schema: 'testgrad.report/1', format: 'csv', file: out });
  expect((await readFile(out, 'utf8')).split('\r\n')).toHaveLength(1 + MATRIX.rows.length + 1);
});

test('records of a benchmark are reported on, and a damaged line is named', async () => {
  const file = join(home, 'records.jsonl');
  const lines = benchmarkRecords(12).map((record) => JSON.stringify(record));
  await writeFile(file, `${lines.join('\n')}\n`);
  expect((await cli('report', file)).stdout).toContain('12 instances, 4 agents');
  const csv = await cli('report', home, '--format', 'csv');
  expect(csv.stdout.trim().split('\r\n')).toHaveLength(1 + 24);

  await writeFile(file, `${lines[0]}\n{"schema":\n`);
  const damaged = await cli('report', file);
  expect(damaged).toMatchObject({ exitCode: 2, stdout: '' });
  expect(damaged.stderr).toMatch(/TG-I06.*records\.jsonl, line 2/s);
});

test('a folder without a decision, and a format that is none, are refused', async () => {
  expect((await cli('report', home)).stderr).toMatch(/TG-R05.*no decision\.json/s);
  expect((await cli('report', home, '--format', 'pdf')).exitCode).toBe(2);
  const target = join(home, 'no', 'such', 'folder.md');
  expect((await cli('report', await copiedRun(), '--out', target)).stderr).toMatch(/TG-I14.*cannot be written/s);
});
