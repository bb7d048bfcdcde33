import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Progress } from '../../src/core/progress.js';
import type { PageData } from '../../src/report/page-data.js';
import { instancePage, noMaterial } from '../../src/report/page-data-instance.js';
import { startViewer, type Viewer } from '../../src/viewer/server.js';
import { benchmark, finishedRun } from '../page/page-data.js';
import { decision, MATRIX } from '../report/fixture.js';
import { chromiumHere, openBrowser, pageText } from '../support/page.js';

const chromium = chromiumHere();
const RUN = '7f3k0a1b2c3d';

const PROGRESS: Progress = {
  phase: 'forward',
  message: 'Running y1 on the candidates',
  ...{ step: 1, steps: 8, turn: 0, rows: 38, differential: 0, evidence: 0, flaky: 1, failedUpdates: 0 },
  candidates: decision().candidates.map(({ id, agent }) => ({ id, agent })),
  leaders: ['c1', 'c2'],
  ...{ executedFiles: 3, reusedFiles: 0, tokens: 12_300, usd: null, possibleDuplicates: 0, paused: false },
};

/** A run in work as the viewer tells it, with the matrix once there is one. */
function running({ progress, matrix }: { progress: Progress | null; matrix: boolean }): PageData {
  const { candidates, leaders } = decision();
  const material = { ...noMaterial({ id: RUN, runId: RUN, title: 'shop: an issue' }), candidates, leaders };
  return {
    ...finishedRun(),
    run: { id: RUN, kind: 'select', name: 'shop: an issue', state: 'running', startedAt: null, facts: [] },
    progress,
    trouble: progress === null ? 'No worker answers; the run waits for one.' : '',
    instances: [instancePage({ ...material, matrix: matrix ? MATRIX : null })],
  };
}

describe.skipIf(chromium === null)('the viewer in a browser', () => {
  let browser: Browser;
  let viewer: Viewer;
  /** What the viewer's source tells now. */
  let data: PageData = running({ progress: null, matrix: false });
  let asked = 0;

  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
    viewer = await startViewer({
      page: await pageText(),
      port: 0,
      source: {
        runs: async () => [
          {
            ...{ id: RUN, kind: 'select', name: 'shop: an issue', state: 'running' },
            ...{ startedAt: '2026-11-30T12:00:00.000Z', outcome: '', selected: null },
          },
        ],
        run: async (id) => {
          asked += 1;
          return id === RUN ? { ...data, madeAt: new Date().toISOString() } : id === 'bench' ? benchmarkAlone() : null;
        },
        instance: async ({ instance }) => {
          const page = benchmark(10).instances.find(({ id }) => id === instance);
          return page ?? null;
        },
      },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await viewer?.close();
  });

  /** As a viewer sends it: instances come one by one. */
  const benchmarkAlone = (): PageData => ({ ...benchmark(10), instances: [] });

  test('follows a selection from waiting for a worker to its end, then asks no more', async () => {
    const tab = await browser.newPage();
    const trouble: string[] = [];
    tab.on('console', (said) => trouble.push(said.text()));
    tab.on('pageerror', (error) => trouble.push(error.message));
    await tab.goto(viewer.url);
    await tab.getByRole('link', { name: RUN.slice(0, 8) }).click();
    const live = tab.locator('.live');
    await live.getByText('No worker answers').waitFor();

    data = running({ progress: PROGRESS, matrix: false });
    await live.getByText('Running y1 on the candidates').waitFor();
    expect(await live.textContent()).toMatch(/y1 of 8.*forward.*38 tests.*12\.3k tokens.*claude, codex/);
    expect(await tab.locator('.matrix').count()).toBe(0);

    data = running({ progress: { ...PROGRESS, phase: 'backward', step: 2, turn: 3, differential: 2 }, matrix: true });
    await live.getByText('turn 3').waitFor();
    await tab.locator('.matrix .row').first().waitFor();
    // What was opened stays open while the data change.
    await tab.locator('.matrix .row button').first().click();
    data = running({ progress: { ...PROGRESS, phase: 'checker', step: 3, message: 'Checking' }, matrix: true });
    await live.getByText('Checking').waitFor();
    expect(await tab.locator('tr.detail').count()).toBe(1);

    data = finishedRun();
    await tab.locator('.answer').getByText('▸ codex').waitFor();
    expect(await live.count()).toBe(0);
    const before = asked;
    await tab.waitForTimeout(2_500);
    expect(asked).toBe(before);
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test('says that the viewer is gone, and keeps what it told last', async () => {
    data = running({ progress: PROGRESS, matrix: true });
    const other = await startViewer({ page: await pageText(), port: 0, source: { ...NO_RUNS, run: async () => data } });
    const tab = await browser.newPage();
    await tab.goto(`${other.url}#/r/${RUN}`);
    await tab.locator('.matrix').waitFor();
    await other.close();
    await tab.locator('.live .trouble').waitFor();
    expect(await tab.locator('.matrix').count()).toBe(1);
    await tab.close();
  });

  test('loads an instance of a benchmark when it is opened', async () => {
    const tab = await browser.newPage();
    await tab.goto(`${viewer.url}#/r/bench`);
    await tab.locator('.instances a').first().click();
    await tab.locator('.answer').getByText('▸ codex').waitFor();
    expect(tab.url()).toMatch(/#\/r\/bench\/i\/django__django-11000$/);
    await tab.close();
  });

  test('another page that the browser shows learns nothing', async () => {
    const tab = await browser.newPage();
    await tab.goto('data:text/html,<h1>other</h1>');
    const ask = `fetch(${JSON.stringify(`http://127.0.0.1:${viewer.port}/api/runs`)}).then((a) => a.text(), () => 'refused')`;
    expect(await tab.evaluate(ask)).toBe('refused');
    await tab.close();
  });
});

const NO_RUNS = { runs: async () => [], instance: async () => null };
