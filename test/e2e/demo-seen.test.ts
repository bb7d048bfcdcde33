import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { buildCli, startCli } from '../support/built-cli.js';
import { expectDocuments } from '../support/documents.js';
import { axe, chromiumHere, openBrowser } from '../support/page.js';
import { TEST_CACHE_DIR } from '../support/temporal-server.js';

const DEMO = fileURLToPath(new URL('../../examples/demo/run.mjs', import.meta.url));
/** The demo's package and its environment are kept between runs, as `npm run demo` keeps them. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const chromium = chromiumHere();

describe.skipIf(chromium === null)('the demo in a browser', () => {
  let dir: string;
  let home: string;
  let decision: Decision;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'testgrad-demo-'));
    home = join(dir, 'home');
    await buildCli();
    const env = { TESTGRAD_HOME: home, XDG_CACHE_HOME: CACHE, TESTGRAD_CACHE: TEST_CACHE_DIR };
    const { stdout } = await execa(process.execPath, [DEMO, '--json'], { env });
    expectDocuments({ args: ['select', '--json'], stdout });
    ({ decision } = JSON.parse(stdout) as { decision: Decision });
  }, 600_000);
  afterAll(async () => {
    await stopLocalStack({ home, workerGraceMs: 5_000 });
    await rm(dir, { recursive: true, force: true });
  }, 60_000);

  test('answers from its recording, and its report says whom it selected, by which test, and how that was found', async () => {
    expect(decision).toMatchObject({ kind: 'differential', chosenBy: 'checker' });
    expect(totalUsage(decision.usage).drifted).toBe(0);
    const file = join(dir, 'report.html');
    const { exitCode } = await startCli({ args: ['report', 'last', '--format', 'html', '--out', file], home }).end;
    expect(exitCode).toBe(0);
    const browser = await openBrowser(chromium ?? '');
    try {
      const tab = await browser.newPage({ viewport: { width: 1200, height: 800 } });
      const trouble: string[] = [];
      tab.on('console', (said) => trouble.push(said.text()));
      tab.on('pageerror', (error) => trouble.push(error.message));
      await tab.goto(`file://${file}`);
      await tab.locator('.answer').getByText(`▸ ${decision.selected}`).waitFor();
      const [deciding] = decision.decidingTests;
      const name = deciding?.testId.split('::').at(-1)?.replace(/\[.*/, '') ?? '';
      expect(await tab.locator('.sentence').textContent()).toContain(name);
      // The selected candidate comes first and passes what decides.
      const row = tab.locator('.matrix .row.deciding').first();
      expect(await row.locator('td').first().textContent()).toBe('✓ pass');
      expect(await row.getByText('✗ fail').count()).toBeGreaterThan(0);
      expect(await tab.locator('.steps > li').count()).toBe(decision.steps.length);
      expect(await tab.locator('.candidates li').count()).toBe(decision.candidates.length);
      expect(await axe(tab)).toEqual([]);
      expect(trouble).toEqual([]);
    } finally {
      await browser.close();
    }
  }, 120_000);
});
