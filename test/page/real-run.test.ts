import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import { findFinished } from '../../src/cli/finished-run.js';
import { liveStates } from '../../src/cli/live-state.js';
import { finishedMaterial, pageOf } from '../../src/cli/report-material.js';
import { rememberRun } from '../../src/cli/run-index.js';
import { stateFolderSource } from '../../src/cli/viewer-source.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import { renderHtml } from '../../src/report/html-report.js';
import { instancePage } from '../../src/report/page-data-instance.js';
import type { ConnectedClient } from '../../src/workers/connection.js';
import { chromiumHere, openBrowser, pageText } from '../support/page.js';
import { scriptedRun, stepOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

const chromium = chromiumHere();

describe.skipIf(chromium === null)('the report of a run', () => {
  let server: TestServer;
  let bench: Workbench;
  let worker: { readonly stop: () => Promise<void> };

  beforeAll(async () => {
    server = await startTestServer();
    bench = await openWorkbench({ server });
    worker = await startBenchWorker({ server, bench });
  }, SERVER_START_TIMEOUT_MS);
  afterAll(async () => {
    await worker?.stop();
    await bench?.remove();
    await server?.stop();
  });

  test('the viewer tells where a run stands, then what it decided', async () => {
    const { home, store } = bench;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script = scriptedRun();
    const input = await bench.prepare({
      name: 'held',
      settings: { steps: 2 },
      script: async (request, n) => {
        if (stepOf(request) === 2) await held;
        return script(request, n);
      },
    });
    const { runId, instance: instanceRef, settings } = input;
    const instance = await getJson<InstanceSpec>({ store, ref: instanceRef });
    const start = { taskQueue: input.taskQueue, startedAt: new Date() };
    await rememberRun({ home, run: { kind: 'select', runId, instance, instanceRef, settings }, start });
    const { client, connection } = server.env;
    const connected = { client, connection: connection as Connection, close: async () => undefined } as ConnectedClient;
    const session = { connected, target: server.target, local: false, uiUrl: null };
    const source = stateFolderSource({ home, cwd: home, store, live: liveStates(session) });
    const handle = await bench.start(input);
    try {
      await until({
        what: 'the run waits for its second update',
        done: async () => bench.requests('held').some((request) => stepOf(request) === 2),
      });
      const now = await source.run(runId.slice(0, 6));
      expect(now).toMatchObject({
        run: { state: 'running', kind: 'select' },
        trouble: '',
        progress: { phase: 'backward' },
      });
      expect(now?.instances[0]).toMatchObject({ outcome: null, matrix: { step: 1 }, candidates: { length: 3 } });
      expect(await source.runs()).toMatchObject([{ id: runId, state: 'running', outcome: '' }]);
      expect(await source.run('nothing')).toBeNull();
    } finally {
      release();
    }
    await handle.result();
    const end = await source.run(runId);
    expect(end).toMatchObject({ run: { state: 'finished' }, progress: null });
    expect(end?.instances[0]?.outcome?.kind).toBe('fallback');
    expect(await source.runs()).toMatchObject([{ id: runId, state: 'finished', outcome: 'fallback' }]);
    // Without a server, what is finished is shown and nothing else is claimed.
    const alone = stateFolderSource({ home, cwd: home, store, live: liveStates(null) });
    expect((await alone.run(runId))?.instances[0]?.outcome?.kind).toBe('fallback');
  });

  test('tells all that the run did: decision, matrix, changes, time line with momentum, conversations', async () => {
    const { input, decision } = await bench.select({ name: 'page', script: scriptedRun(), settings: { steps: 3 } });
    const { home, store } = bench;
    const { runId, name } = input;
    const finished = await findFinished({ store, runId });
    if (finished === null) throw new Error('The run is finished.');
    const page = instancePage(await finishedMaterial({ home, store, runId, finished }));
    const run = { id: runId, kind: 'select', name, state: 'finished', startedAt: null, facts: [] } as const;
    const file = join(bench.dir, 'report.html');
    await writeFile(file, await renderHtml({ page: await pageText(), data: pageOf({ run, page }) }));

    const browser = await openBrowser(chromium ?? '');
    try {
      const tab = await browser.newPage();
      await tab.goto(`file://${file}#/?step=3`);
      await tab.locator('.answer').getByText(`▸ ${decision.selected}`).waitFor();
      expect(await tab.locator('.sentence').textContent()).toMatch(
        /^test_long_single_word \(created at step 3\) passes on (right and also-right|also-right and right) and fails on example-only\.$/,
      );
      expect(await tab.locator('.matrix .row').count()).toBe(1);
      // Three attempts at one line, of which two drop what the others keep.
      expect(await tab.locator('.one :is(h3, h4)').allTextContents()).toHaveLength(
        3 + (await tab.locator('#y3 .one').count()),
      );
      expect(await tab.locator('.line.only').count()).toBeGreaterThan(5);

      const steps = await tab.locator('.steps > li').allTextContents();
      expect(steps).toHaveLength(4);
      expect(steps[1]).toMatch(/create test_example_of_the_issue.*separated nobody.*loss 1/);
      expect(steps[3]).toMatch(/create test_long_single_word.*3 → 2 in the lead.*loss 0/);
      const third = tab.locator('#y3');
      await third.getByText('+def test_long_single_word', { exact: false }).waitFor();
      expect(await third.textContent()).toMatch(/Duration\d+(\.\d)? s/);
      expect(await third.textContent()).toMatch(/Momentum\d+ tokens \(raw memory \d+\) before, unchanged after/);
      expect(await third.textContent()).toContain('slugify("hello world", max_length=8)');
      expect(await tab.locator('#h-logs ~ details').count()).toBe(5);
      expect(await tab.locator('#h-issue ~ pre').textContent()).toContain('slugify cuts words in half');
    } finally {
      await browser.close();
    }
  });
});
