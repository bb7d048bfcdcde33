import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { buildCli, type Running, startCli } from '../support/built-cli.js';
import { sandboxHere } from '../support/instances.js';
import { axe, chromiumHere, openBrowser } from '../support/page.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { scriptedBenchmark } from '../support/scripted-benchmark.js';
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';
import { until } from '../support/until.js';

const MAKE = fileURLToPath(new URL('../../examples/bench/make.mjs', import.meta.url));
const AGENTS = ['atlas', 'birch', 'cedar', 'delta'];
const chromium = chromiumHere();

/** Augment is refused on the spans, and TestGRAD's only update on the slugs separates nobody. */
const script: Script = (request, n) => {
  const text = JSON.stringify(request.messages);
  if (text.includes('solution_index') && text.includes('merge')) {
    return { status: 400, body: { error: { message: 'refused <b>\u001b[31m' } } };
  }
  if (request.role === 'optimizer' && text.includes('slugify')) {
    const test = { file: 'tests/test_slugs.py', name: 'test_short', source: 'def test_short():\n    assert True\n' };
    const update = {
      ...{ diagnosis: 'Nothing is known.', failedDirection: 'short words' },
      reuse: [{ aspect: 'api', symbol: 'slugify', file: 'tests/test_slugs.py' }],
      operations: [{ op: 'create', ...test }],
    };
    return { toolCalls: [{ name: 'submit_update', arguments: update }] };
  }
  return scriptedBenchmark(request, n);
};

let dir: string;
let home: string;
let model: ScriptedModel;
/** Of the benchmark. */
let run: string;

const start = (...args: readonly string[]): Running =>
  startCli({
    args,
    home,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-e2e-0123456789abcdef',
      TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH ?? '',
    },
  });
const testgrad = (...args: readonly string[]) => start(...args).end;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-seen-'));
  home = join(dir, 'home');
  const small = join(dir, 'small');
  execFileSync(process.execPath, [MAKE, small]);
  const [python, sandbox] = [await pythonWithPytest(), await sandboxHere()];
  model = await startScriptedModel({ script });
  await buildCli();
  const made = await testgrad(
    ...['bench', '--dataset', join(small, 'dataset.jsonl'), '--local-repos', join(small, 'repos.yaml')],
    ...AGENTS.flatMap((agent) => ['--preds', `${agent}=${join(small, 'preds', `${agent}.jsonl`)}`]),
    ...AGENTS.flatMap((agent) => ['--results', `${agent}=${join(small, 'results', `${agent}.json`)}`]),
    ...['--python', python, '--sandbox', sandbox, '--model', 'scripted', '--steps', '1', '--json'],
    ...['--methods', 'testgrad,augment,single', '-n', '3..4'],
  );
  // Some runs ended with an error.
  expect(made.exitCode, made.stderr).toBe(20);
  run = (JSON.parse(made.stdout) as { run: { id: string } }).run.id;
}, 400_000);

afterAll(async () => {
  await stopLocalStack({ home, workerGraceMs: 5_000 });
  await model?.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

describe('show of a benchmark', () => {
  const shown = async (path: string) => {
    const { exitCode, stdout, stderr } = await testgrad('show', path, '--json');
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test('prints its tables, the selection on an instance as a select does, and how every method ended', async () => {
    expect((await testgrad('show', 'last')).stdout).toContain('Methods, 4 candidates an instance');
    const { stdout } = await testgrad('show', 'last/acme__spans-1');
    expect(stdout).toMatch(/^ >> atlas .*\n {4}decided by a differential test, chosen by the checker/);
    expect(stdout).toContain(`testgrad show ${run.slice(0, 8)}/acme__spans-1/testgrad.n4/y1`);
    expect(stdout).toMatch(/\n testgrad +3-4 +created-test +atlas +resolved/);
    expect(stdout).toMatch(/\n augment +3-4 +error TG-M06 +- +- /);

    const { decision, methods, ...identity } = await shown('last/acme__spans-1');
    expect(identity).toMatchObject({ run, instance: 'acme__spans-1', method: 'testgrad', n: 4 });
    expect(decision).toMatchObject({ kind: 'differential', selected: 'atlas', reason: null });
    expect(methods).toHaveLength(3 * 2);
    expect(methods).toContainEqual(
      expect.objectContaining({ method: 'augment', n: 3, error: { code: 'TG-M06', message: null } }),
    );
  });

  test('shows steps, tests and candidates of a selection, also with fewer agents', async () => {
    const item = { run, instance: 'acme__spans-1', method: 'testgrad', item: expect.stringMatching(/^[0-9a-f]{12}$/) };
    expect(await shown('last/acme__spans-1/y1')).toMatchObject({ ...item, n: 4, part: 'step', step: { loss: 0 } });
    expect(await shown('last/acme__spans-1/test_span_within_another')).toMatchObject({ ...item, part: 'test' });
    expect(await shown('last/acme__spans-1/tests/test_spans.py::test_apart')).toMatchObject({ ...item, part: 'test' });
    expect(await shown('last/acme__spans-1/testgrad.n3/atlas')).toMatchObject({ n: 3, candidate: { selected: true } });
    expect((await testgrad('show', 'last/acme__spans-1/y1')).stdout).toContain('+def test_span_within_another():');
  });

  test('says how a method ended that makes no decision of its own, and why there is none', async () => {
    expect(await shown('last/acme__totals-1')).toMatchObject({ decision: null, item: null });
    expect((await testgrad('show', 'last/acme__totals-1')).stdout).toContain('Why: All patches are the same.');
    expect((await testgrad('show', 'last/acme__slugs-1/augment')).stdout).toMatch(/^ >> atlas\n {4}augment with 4/);
    const { stdout } = await testgrad('show', 'last/acme__spans-1/augment');
    expect(stdout).toMatch(/ended with an error\.\n ! TG-M06 .*refused/s);
    expect(stdout).toContain(`testgrad retry ${run.slice(0, 8)}`);
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    ['acme__span-1', 'Perhaps acme__spans-1?'],
    ['acme__spans-1/y7', 'Perhaps y0, y1?'],
    ['acme__spans-1/test_span_within', 'Perhaps test_span_within_another?'],
    ['acme__spans-1/augmnt', 'Perhaps augment?'],
    ['acme__spans-1/augment/y1', 'it ended with an error (TG-M06)'],
    ['acme__totals-1/y0', 'the candidates answered it without a run'],
    ['acme__slugs-1/augment/y0', 'the method writes and compares no tests step by step'],
  ])('%s names nothing: %s', async (path, said) => {
    const { exitCode, stdout, stderr } = await testgrad('show', `last/${path}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^TG-R05 /);
    expect(stderr).toContain(said);
  });
});

test('is reported as Markdown, JSON and CSV', async () => {
  const report = async (format: string): Promise<string> => (await testgrad('report', run, '--format', format)).stdout;
  const markdown = await report('md');
  expect(markdown).toContain('- augment: 1 ended with an error.');
  expect(markdown).toContain('- testgrad: 1 by a fallback.');
  const { instances, benchmark } = JSON.parse(await report('json')) as Record<string, { length: number }>;
  expect([instances?.length, benchmark]).toEqual([2, expect.objectContaining({ agents: AGENTS })]);
  const csv = await report('csv');
  expect(csv).toContain('acme__slugs-1,testgrad,unresolved,fallback,atlas,wrong-pick,1,');
  expect(csv).toContain('acme__spans-1,augment,unresolved,error,,wrong-pick,0,');
});

describe.skipIf(chromium === null)('in a browser', () => {
  let browser: Browser;
  let viewing: Running;
  let viewer: string;
  let file: string;

  beforeAll(async () => {
    file = join(dir, 'report.html');
    expect(await testgrad('report', run, '--format', 'html', '--out', file)).toMatchObject({ exitCode: 0 });
    viewing = start('view', 'last');
    let said = '';
    viewing.child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until({ what: 'the address of the viewer', done: () => said.includes('\n') });
    viewer = said.trim();
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    viewing?.child.kill('SIGINT');
    await viewing?.end;
  });

  const open = async (url: string, width = 1200): Promise<{ tab: Page; trouble: string[] }> => {
    const tab = await browser.newPage({ viewport: { width, height: 800 } });
    const trouble: string[] = [];
    tab.on('console', (said) => trouble.push(said.text()));
    tab.on('pageerror', (error) => trouble.push(error.message));
    await tab.goto(url);
    await tab.locator('h1').waitFor();
    return { tab, trouble };
  };

  test.each(['the report', 'the viewer'])(
    '%s: from the table to an instance and back, by links and filters',
    async (which) => {
      const at = which === 'the report' ? `file://${file}#/` : viewer;
      const { tab, trouble } = await open(at);
      const rows = tab.locator('.instances tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(4);
      await tab.getByText('testgrad: 1 by a fallback.').waitFor();

      await tab.getByLabel('Decided by').selectOption('fallback');
      expect(await rows.allTextContents()).toEqual([expect.stringMatching(/acme__slugs-1.*not resolved.*wrong pick/)]);
      await tab.getByRole('link', { name: 'acme__slugs-1' }).click();
      await tab.locator('.answer.low').getByText('▸ atlas').waitFor();
      expect(await tab.locator('.steps > li').count()).toBe(2);
      expect(await tab.locator('[aria-labelledby="h-methods-here"] tbody tr').count()).toBe(3);
      // Its own run is no run that `apply` knows.
      expect(await tab.getByRole('button', { name: 'apply' }).count()).toBe(0);
      await tab.goBack();

      await tab.getByLabel('Decided by').selectOption('');
      await tab.getByRole('combobox', { name: 'Method' }).selectOption('augment');
      await tab.getByLabel('errors', { exact: true }).check();
      const [error] = await rows.allTextContents();
      expect(error).toMatch(/acme__spans-1.*! error.*! TG-M06 .*refused <b>/);
      expect(error).not.toContain('\u001b');
      expect(trouble).toEqual([]);
      await tab.close();
    },
  );

  test.each(['the report', 'the viewer'])(
    '%s: an address opens an instance, a step of it, and one without a run',
    async (which) => {
      const to = (rest: string): string =>
        which === 'the report' ? `file://${file}#${rest}` : viewer.replace(/#.*/, `#/r/${run}${rest}`);
      const spans = await open(to('/i/acme__spans-1?step=1'));
      await spans.tab.locator('#y1[open]').getByText('+def test_span_within_another', { exact: false }).waitFor();
      expect(await spans.tab.locator('.sentence').textContent()).toContain('passes on atlas');
      await spans.tab.close();
      const totals = await open(to('/i/acme__totals-1'));
      await totals.tab.getByText('TestGRAD left no run to open here').waitFor();
      expect(await totals.tab.locator('.instances tbody tr').first().textContent()).toMatch(
        /testgrad.*resolved.*= equivalent/,
      );
      await totals.tab.close();
    },
  );

  test.each([
    ['the benchmark', '/', 1200],
    ['the benchmark', '/', 360],
    ['an instance', '/i/acme__slugs-1', 360],
    ['an instance without a run', '/i/acme__totals-2', 1200],
  ] as const)('axe finds nothing in %s (%s), %i wide, and nothing is wider than the page', async (_, hash, width) => {
    const { tab } = await open(`file://${file}#${hash}`, width);
    expect(await axe(tab)).toEqual([]);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await tab.close();
  });

  test('fits on paper', async () => {
    const { tab } = await open(`file://${file}#/`, 720);
    await tab.emulateMedia({ media: 'print' });
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(720);
    expect(await tab.locator('.filters').isVisible()).toBe(false);
    expect((await tab.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
    await tab.close();
  });
});

test('stays readable when it is copied elsewhere, with the reasons of its errors', async () => {
  const { stdout } = await testgrad('report', join(home, 'runs', run), '--format', 'json');
  const { benchmark } = JSON.parse(stdout) as { benchmark: { instances: { ends: { error: string }[] }[] } };
  const errors = benchmark.instances
    .flatMap(({ ends }) => ends.map(({ error }) => error))
    .filter((error) => error !== '');
  expect(errors).toEqual([expect.stringMatching(/^TG-M06 /)]);
  expect(await readFile(join(home, 'runs', run, 'errors.jsonl'), 'utf8')).toContain('TG-M06');
});
