// `node bench/page.mjs [INSTANCES]`: how long the report of a benchmark takes from opening the file until its table of
// instances has been filtered, in the system's Chromium from disk, and how large page and report are. Goals: 500 instances in
// less than 3 s; less than 64 KiB of page.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { buildPage } from '../scripts/build-page.mjs';
import '../test/support/ts-source.mjs';

const { renderHtml } = await import('../src/report/html-report.ts');
const { benchmarkPage } = await import('../src/report/page-data-benchmark.ts');
const { benchmarkRecords } = await import('../test/page/records.ts');

const GOAL_MS = 3_000;
const GOAL_BYTES = 65_536;
const ROUNDS = 5;

const count = Number(process.argv[2] ?? 500);
const records = benchmarkRecords(count);
const expected = [...new Set(records.map(({ instanceId }) => instanceId))];
const dir = await mkdtemp(join(tmpdir(), 'testgrad-bench-page-'));
try {
  await buildPage({ out: dir, check: false });
  const page = await readFile(join(dir, 'index.html'), 'utf8');
  const data = {
    ...{
      schema: 'testgrad.page/1',
      madeAt: new Date().toISOString(),
      progress: null,
      doing: '',
      trouble: '',
      instances: [],
    },
    run: { id: 'bench', kind: 'bench', name: `${count} instances`, state: 'finished', startedAt: null, facts: [] },
    benchmark: benchmarkPage({ records, errors: [], expected, detailed: new Set() }),
  };
  const file = join(dir, 'report.html');
  const html = await renderHtml({ page, data });
  await writeFile(file, html);
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timeOf(file));
  const [fastest, ...rest] = times.toSorted((left, right) => left.total - right.total);
  const middle = [fastest, ...rest][ROUNDS >> 1];
  console.log(`page ${page.length} bytes (goal < ${GOAL_BYTES}), report of ${count} instances ${html.length} bytes`);
  console.log(
    `median of ${ROUNDS}: from opening the file to the whole table ${middle.open.toFixed(0)} ms, to a filtered one ` +
      `${(middle.open + middle.use).toFixed(0)} ms (goal < ${GOAL_MS}), with the browser's start ${middle.total.toFixed(0)} ms; ` +
      `load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors`,
  );
  process.exitCode = middle.open + middle.use < GOAL_MS && page.length < GOAL_BYTES ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** A browser of its own each time, as when somebody opens the file. */
async function timeOf(file) {
  const started = performance.now();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const tab = await browser.newPage();
    const opening = performance.now();
    await tab.goto(`file://${file}`);
    await tab
      .locator('.instances tbody tr')
      .nth(count - 1)
      .waitFor({ state: 'attached' });
    const opened = performance.now();
    await tab.locator('input[type=search]').fill('django');
    await tab.locator('p[role=status]', { hasText: `${Math.ceil(count / 5)} instances of` }).waitFor();
    const used = performance.now();
    return { open: opened - opening, use: used - opened, total: used - started };
  } finally {
    await browser.close();
  }
}
