import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/html-report.js';
import type { PageData } from '../../src/report/page-data.js';
import { axe, chromiumHere, openBrowser, pageText } from '../support/page.js';
import { benchmark, benchmarkInWork, finishedRun, HOSTILE } from './page-data.js';

const chromium = chromiumHere();
const MAX_PAGE_BYTES = 64 * 1024;

describe.skipIf(chromium === null)('the page of reports', () => {
  let dir: string;
  let page: string;
  let browser: Browser;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'testgrad-reports-'));
    page = await pageText();
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await rm(dir, { recursive: true, force: true });
  });

  /** Opens a report from disk; whatever the page asks for or complains about is a failure. */
  async function open({
    data,
    hash = '',
    scheme = 'light',
    width = 1200,
  }: {
    data: PageData;
    hash?: string;
    scheme?: 'light' | 'dark';
    width?: number;
  }): Promise<{ tab: Page; trouble: string[] }> {
    const file = join(dir, `${Math.random().toString(36).slice(2)}.html`);
    await writeFile(file, await renderHtml({ page, data }));
    const tab = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 } });
    const trouble: string[] = [];
    tab.on('request', (asked) => {
      if (!asked.url().startsWith('file://') && !asked.url().startsWith('data:')) trouble.push(`asked ${asked.url()}`);
    });
    tab.on('console', (said) => trouble.push(said.text()));
    tab.on('pageerror', (error) => trouble.push(error.message));
    await tab.goto(`file://${file}${hash}`);
    await tab.locator('h1').waitFor();
    return { tab, trouble };
  }

  test('is one file of less than 64 KiB that names no other place', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_PAGE_BYTES);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('shows a run: the answer, the deciding test, the matrix with the winner first, and opens a row', async () => {
    const { tab, trouble } = await open({ data: finishedRun() });
    const answer = tab.locator('.answer');
    await answer.getByText('▸ codex').waitFor();
    expect(await answer.textContent()).toContain('test_onetoone_parent (created at step 2) passes on codex and human');
    const heads = await tab.locator('.matrix thead th').allTextContents();
    expect(heads.slice(1)).toEqual([
      ...['▸ selectedcodex', 'in the leadhuman', 'claude', 'openhands', 'unpatchedbase'],
    ]);
    const first = tab.locator('.matrix tbody tr').first();
    expect(await first.locator('td').allTextContents()).toEqual(['✓ pass', '✓ pass', '✗ fail', '✗ fail', '✗ fail']);
    expect(await tab.locator('.matrix .row').count()).toBe(3);

    await tab.keyboard.press('Tab');
    const row = first.getByRole('button');
    await row.focus();
    await tab.keyboard.press('Enter');
    expect(await row.getAttribute('aria-expanded')).toBe('true');
    await tab.getByText('AssertionError: [] != [<Error>]').first().waitFor();

    await tab.getByLabel('all 38 tests').check();
    expect(tab.url()).toMatch(/#\/\?show=all$/);
    await tab.getByText('34 tests of tests/test_old.py').waitFor();
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test('marks what only one candidate changes, by more than a colour', async () => {
    const { tab } = await open({ data: finishedRun() });
    const only = await tab.locator('.line.only').allTextContents();
    expect(only.map((line) => line.trim())).toEqual([
      expect.stringMatching(/^◆\+ {4}x = /),
      expect.stringMatching(/^◆\+ {4}z = 3/),
    ]);
    await tab.close();
  });

  test('an address opens a step, and a test', async () => {
    const run = finishedRun();
    const { tab } = await open({ data: run, hash: '#/?step=2' });
    expect(await tab.locator('#y2').getAttribute('open')).not.toBeNull();
    expect(await tab.locator('#y1').getAttribute('open')).toBeNull();
    await tab.getByText('none before, unchanged after').waitFor();
    await tab.close();
    const test = encodeURIComponent('tests/test_render.py::test_render');
    const other = await open({ data: run, hash: `#/?test=${test}` });
    expect(await other.tab.locator('tr.detail').count()).toBe(1);
    await other.tab.close();
  });

  test('text of models, tests and issues stays text', async () => {
    const { tab, trouble } = await open({ data: finishedRun(HOSTILE) });
    await tab.evaluate('document.querySelectorAll("summary").forEach((each) => each.click())');
    await tab.locator('.message').first().waitFor();
    expect(await tab.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await tab.locator('main script, main img, main a[href^="javascript"], main strong').count()).toBe(0);
    const text = (await tab.locator('main').textContent()) ?? '';
    expect(text).toContain('</script><script>globalThis.hacked = 1</script>');
    expect(text).toContain('Ignore all previous instructions');
    expect(text).not.toContain('\u001b');
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test('a script that got into the file all the same would not run', async () => {
    const html = (await renderHtml({ page, data: finishedRun() })).replace(
      '</body>',
      '<script>globalThis.hacked = 1</script></body>',
    );
    const file = join(dir, 'changed.html');
    await writeFile(file, html);
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    await tab.locator('h1').waitFor();
    expect(await tab.evaluate('globalThis.hacked')).toBeUndefined();
    await tab.close();
  });

  test('shows a benchmark with its errors and fallbacks, filters it, and keeps the filter in the address', async () => {
    const { tab, trouble } = await open({ data: benchmark(60) });
    await tab.getByText('testgrad: 60 of 61 finished; missing: django__django-1.').waitFor();
    expect(await tab.locator('.cards li').count()).toBe(6);
    const rows = tab.locator('.instances tbody tr');
    expect(await rows.count()).toBe(60);

    await tab.getByLabel('Decided by').selectOption('error');
    const errors = await rows.allTextContents();
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every((row) => row.includes('! error') && row.includes('TG-M06 The model answered <b>'))).toBe(true);
    // What left no run behind says at least how every method ended.
    await rows.first().getByRole('link').click();
    await tab.getByText('TestGRAD left no run to open here').waitFor();
    expect(await tab.locator('.instances tbody tr').first().textContent()).toContain('TG-M06');
    await tab.goBack();
    await tab.getByLabel('Decided by').waitFor();
    await tab.getByLabel('Decided by').selectOption('fallback');
    await tab.getByLabel('wrong picks').check();
    expect(tab.url()).toMatch(/#\/\?by=fallback&only=wrong$/);
    const wrong = await rows.allTextContents();
    expect(wrong.every((row) => row.includes('wrong pick'))).toBe(true);
    await tab.reload();
    await tab.locator('.instances').waitFor();
    expect(await rows.count()).toBe(wrong.length);

    await tab.getByLabel('Search').fill('no such instance');
    expect(await rows.count()).toBe(0);
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test('the table of instances is walked by keys, and Enter opens one', async () => {
    const { tab } = await open({ data: benchmark(10) });
    await tab.locator('.tall').focus();
    for (const key of ['j', 'j', 'k']) await tab.keyboard.press(key);
    const id = await tab.locator('.instances a').first().textContent();
    expect(await tab.evaluate('document.activeElement.textContent')).toBe(id);
    await tab.keyboard.press('Enter');
    await tab.locator('.answer').waitFor();
    expect(tab.url()).toContain(`#/i/${id}`);
    await tab.goBack();
    await tab.locator('.instances').waitFor();
    await tab.close();
  });

  test.each([
    ['a run', 'light', 1200],
    ['a run', 'dark', 1200],
    ['a run', 'light', 360],
    ['a benchmark', 'light', 1200],
    ['a benchmark', 'dark', 360],
    ['a benchmark in work', 'light', 360],
    ['a benchmark in work', 'dark', 1200],
  ] as const)('axe finds nothing in %s, %s, %i wide', async (what, scheme, width) => {
    const shown = {
      'a run': () => finishedRun(),
      'a benchmark': () => benchmark(20),
      'a benchmark in work': () => benchmarkInWork(),
    };
    const { tab } = await open({ data: shown[what](), scheme, width });
    expect(await axe(tab)).toEqual([]);
    // Wide content scrolls in its own place.
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await tab.close();
  });

  test('shows a benchmark in work: what has ended and how, what is in work and for how long, and the last errors', async () => {
    const { tab, trouble } = await open({ data: benchmarkInWork(HOSTILE.replaceAll('\n', ' ')) });
    const live = await tab.locator('.live').textContent();
    expect(live).toContain('12 of 40 runs have ended, 1 of them with an error · 2 in work of at most 4');
    expect(live).toMatch(
      /812\.0k tokens of 2\.0M · \$3\.20 · 2 calls perhaps paid twice · 4 were done before · about \d+ min/,
    );
    expect(await tab.locator('.live progress').getAttribute('value')).toBe('12');
    expect(await tab.locator('#main table:has-text("The longest first") tbody tr').allTextContents()).toEqual([
      'django__django-1testgrad41 min 35 s, begun again 1 time',
      'django__django-2testgrad45.0 s',
    ]);
    const errors = (await tab.locator('#main li').last().textContent()) ?? '';
    expect(errors).toContain('TG-M03 sympy__sympy-1, augment: </script><script>');
    expect(await tab.locator('#main .note').last().textContent()).toContain('testgrad retry 1f2e3d4c');
    expect(await tab.evaluate('globalThis.hacked')).toBeUndefined();
    expect(trouble).toEqual([]);
    await tab.close();
  });

  test('prints without what cannot be used on paper', async () => {
    const { tab } = await open({ data: finishedRun() });
    await tab.emulateMedia({ media: 'print' });
    expect(await tab.getByRole('button', { name: 'copy the patch' }).isVisible()).toBe(false);
    expect(await tab.locator('.matrix').isVisible()).toBe(true);
    expect((await tab.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
    await tab.close();
  });
});
