import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildPage } from '../../scripts/build-page.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The system's Chromium, or null where there is none: then tests in a browser are left out, and a line says so. */
export function chromiumHere(): string | null {
  const found = BROWSERS.find((path) => existsSync(path)) ?? null;
  if (found === null)
    process.stderr.write('No Chromium on this machine: the tests of the page in a browser are skipped.\n');
  return found;
}

/** Starts the browser; it has no network of its own to speak to in these tests. */
export const openBrowser = (path: string): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: ['--no-sandbox'] });

/** The page, built from its sources into a folder of its own. */
export async function pageText(): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'testgrad-page-'));
  await buildPage({ out, check: false });
  return readFile(join(out, 'index.html'), 'utf8');
}

interface AxeResult {
  readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string; target: unknown }[] }[];
}

/** What axe finds, moderate or worse, with everything unfolded. */
export async function axe(tab: Page): Promise<string[]> {
  await tab.evaluate('document.querySelectorAll("summary").forEach((each) => each.click())');
  await tab.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = (await tab.evaluate('axe.run()')) as AxeResult;
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`);
}
