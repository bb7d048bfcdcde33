import type { Connection } from '@temporalio/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import { liveStates } from '../../src/cli/live-state.js';
import { rememberRun } from '../../src/cli/run-index.js';
import { stateFolderSource } from '../../src/cli/viewer-source.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import { startViewer, type Viewer } from '../../src/viewer/server.js';
import type { ConnectedClient } from '../../src/workers/connection.js';
import { chromiumHere, openBrowser, pageText } from '../support/page.js';
import { scriptedRun, stepOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

const chromium = chromiumHere();

describe.skipIf(chromium === null)('the page of a run in work', () => {
  let server: TestServer;
  let bench: Workbench;
  let worker: { readonly stop: () => Promise<void> };
  let browser: Browser;
  let viewer: Viewer;

  beforeAll(async () => {
    server = await startTestServer();
    bench = await openWorkbench({ server });
    worker = await startBenchWorker({ server, bench });
    browser = await openBrowser(chromium ?? '');
    const { client, connection } = server.env;
    const connected = { client, connection: connection as Connection, close: async () => undefined } as ConnectedClient;
    const session = { connected, target: server.target, local: false, uiUrl: null };
    const { home, store } = bench;
    const source = stateFolderSource({ home, cwd: home, store, live: liveStates(session) });
    viewer = await startViewer({ page: await pageText(), source, port: 0 });
  }, SERVER_START_TIMEOUT_MS);
  afterAll(async () => {
    await viewer?.close();
    await browser?.close();
    await worker?.stop();
    await bench?.remove();
    await server?.stop();
  });

  test('grows step by step until the decision, and its executions say what they ran', async () => {
    const { home, store } = bench;
    /** Answers to updates up to this one are given. */
    let released = 0;
    const waiting: (() => void)[] = [];
    const release = (step: number): void => {
      released = step;
      for (const go of waiting.splice(0)) go();
    };
    const script = scriptedRun();
    const input = await bench.prepare({
      name: 'grows',
      settings: { steps: 3 },
      script: async (request, n) => {
        while (stepOf(request) > released) await new Promise<void>((resolve) => waiting.push(resolve));
        return script(request, n);
      },
    });
    const { runId, instance: instanceRef, settings } = input;
    const instance = await getJson<InstanceSpec>({ store, ref: instanceRef });
    const start = { taskQueue: input.taskQueue, startedAt: new Date() };
    await rememberRun({ home, run: { kind: 'select', runId, instance, instanceRef, settings }, start });
    const handle = await bench.start(input);
    const tab = await browser.newPage();
    try {
      await tab.goto(`${viewer.url}#/r/${runId}`);
      const steps = tab.locator('.steps > li');
      const inWork = tab.locator('.steps > .working');

      await inWork.getByText('y1', { exact: true }).waitFor();
      await tab.locator('#y0').waitFor();
      expect(await steps.count()).toBe(2);
      expect(await inWork.textContent()).toContain('Optimizer works on update 1, turn 1');
      // The candidates' changes are there while their judgement is not.
      expect(await tab.locator('[aria-labelledby="h-diffs"] .line.only').count()).toBeGreaterThan(0);

      release(1);
      await inWork.getByText('y2', { exact: true }).waitFor();
      expect(await steps.count()).toBe(3);
      const first = tab.locator('#y1');
      expect(await first.textContent()).toMatch(/create test_example_of_the_issue.*separated nobody.*loss 1.*tokens/);
      await first.locator('summary').click();
      await first.getByText('+def test_example_of_the_issue', { exact: false }).waitFor();
      expect(await first.textContent()).toMatch(/Momentumnone before, \d+ tokens \(raw memory \d+\) after/);
      await first.getByText('Momentum after').waitFor();

      release(2);
      await inWork.getByText('y3', { exact: true }).waitFor();
      expect(await steps.count()).toBe(4);
      // What was opened stays open while the data change.
      expect(await first.getAttribute('open')).not.toBeNull();
      expect(await tab.locator('.answer').count()).toBe(0);

      release(3);
      await handle.result();
      await tab.locator('.answer').waitFor();
      expect(await inWork.count()).toBe(0);
      expect(await steps.count()).toBe(4);
      expect(await tab.locator('.live').count()).toBe(0);
    } finally {
      release(3);
      await tab.close();
    }
    const { events } = await handle.fetchHistory();
    const said = (events ?? []).flatMap(({ userMetadata }) => {
      const data = userMetadata?.summary?.data;
      return data ? [JSON.parse(Buffer.from(data).toString('utf8')) as string] : [];
    });
    expect(said).toEqual(
      expect.arrayContaining([
        'y0 on right: 6 tests in 2 files',
        'y1 on right: 7 tests in 2 files, 1 edited',
        'y3: optimizer turn 1',
        'm2: 2 failed updates',
        expect.stringMatching(/^checker: differential, \d in the lead$/),
      ]),
    );
  }, 120_000);
});
