import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import type { Decision } from '../../src/core/decision.js';
import type { Matrix } from '../../src/core/matrix.js';
import { presetSettings } from '../../src/core/settings.js';
import { totalUsage } from '../../src/core/usage.js';
import type { MatrixRun } from '../../src/workflows/run-matrix.js';
import { meaningOf } from '../support/decisions.js';
import { activityCounts, textOfHistory } from '../support/histories.js';
import { processesOf } from '../support/processes.js';
import { MINI_UPDATES, scriptedRun, stepOf, turnOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

const API_KEY = 'sk-never-to-be-seen-4711';
/** What separates `example-only` at once. */
const SEPARATING = MINI_UPDATES.slice(2);

let server: TestServer;
let bench: Workbench;
let worker: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  server = await startTestServer();
  bench = await openWorkbench({ server });
  worker = await startBenchWorker({ server, bench, apiKey: API_KEY });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  await worker?.stop();
  await bench?.remove();
  await server?.stop();
});

const agentsOf = (decision: Decision, ids: readonly string[]): string[] =>
  decision.candidates.filter(({ id }) => ids.includes(id)).map(({ agent }) => agent);

const matrixOf = (decision: Decision): Promise<Matrix> =>
  getJson<Matrix>({ store: bench.store, ref: { digest: decision.artifacts.matrix ?? '' } });

test('a whole run finds the test that tells the candidates apart, and nothing of it is done twice', async () => {
  const wish = { name: 'whole', script: scriptedRun(), settings: { steps: 3 } };
  const { input, decision } = await bench.select(wish);

  expect(decision).toMatchObject({ kind: 'differential', chosenBy: 'checker', ended: 'steps', runId: input.runId });
  expect(agentsOf(decision, decision.leaders)).toEqual(['right', 'also-right']);
  expect(['right', 'also-right']).toContain(decision.selected);
  expect(decision.decidingTests).toMatchObject([
    { testId: 'tests/test_slugs.py::test_long_single_word', origin: 'created', step: 3, class: 'issue' },
  ]);
  expect(decision.steps.map(({ loss }) => loss)).toEqual([1, 1, 1, 0]);

  const matrix = await matrixOf(decision);
  const row = matrix.rows.find(({ kind }) => kind === 'differential');
  expect(row).toMatchObject({
    testId: 'tests/test_slugs.py::test_long_single_word',
    // Each outcome was confirmed by a rerun.
    cells: {
      c1: { status: 'passed', reruns: ['passed'] },
      c2: { status: 'failed', reruns: ['failed'] },
      c3: { status: 'passed', reruns: ['passed'] },
    },
    base: { status: 'passed' },
    judgement: { class: 'issue' },
  });
  expect(row?.cells.c2?.message).toContain('incomp');

  // Every turn of the model and every tool call is an activity of its own.
  const handle = server.env.client.workflow.getHandle(`testgrad/select/${input.runId}`);
  const history = await handle.fetchHistory();
  expect(activityCounts(history)).toMatchObject({
    prepareInstance: 1,
    optimizerTurn: 6,
    readRepository: 3,
    applyEdit: 3,
    mineMomentum: 2,
    judgeRows: 1,
    checkerTurn: 1,
    finishInstance: 1,
    releaseInstance: 1,
  });
  const asked = bench.requests('whole');
  expect(asked.map(({ role }) => role)).toEqual([...Array(6).fill('optimizer'), 'judge', 'checker']);
  expect(totalUsage(decision.usage)).toMatchObject({ calls: 8, possibleDuplicates: 0, drifted: 0 });

  // The failed updates' shared statement is named to the third one.
  const third = asked.find((request) => stepOf(request) === 3 && turnOf(request) === 0);
  const prompt = third?.messages.map(({ content }) => content).join('\n') ?? '';
  const momentum = /<momentum>([\s\S]*?)<\/momentum>/.exec(prompt)?.[1] ?? '';
  expect(momentum).toContain('slugify("hello world", max_length=8)');
  expect(momentum).toMatch(/\b2\b/);
  // Who wrote a candidate is not told to a model.
  expect(asked.filter(({ body }) => /also-right|example-only/.test(JSON.stringify(body)))).toEqual([]);

  // The key is with the requests and nowhere else.
  expect(asked.every(({ headers }) => headers.authorization === `Bearer ${API_KEY}`)).toBe(true);
  expect(textOfHistory(history)).not.toContain(API_KEY);
  const files = (await readdir(bench.home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(50);
  for (const { parentPath, name } of files) {
    expect((await readFile(join(parentPath, name))).includes(API_KEY), `the key in ${name}`).toBe(false);
  }

  // The run folder is there, and nothing else of the run.
  const folder = join(bench.home, 'runs', input.runId);
  expect(JSON.parse(await readFile(join(folder, 'decision.json'), 'utf8'))).toMatchObject({ runId: input.runId });
  expect(await readFile(join(folder, 'report.md'), 'utf8')).toContain('test_long_single_word');
  expect(existsSync(join(bench.home, 'work', 'runs', input.runId))).toBe(false);
  expect(processesOf(join(bench.home, 'work', 'runs'))).toEqual([]);
  const described = await handle.describe();
  expect(described.typedSearchAttributes.getAll()).toContainEqual(
    expect.objectContaining({ key: expect.objectContaining({ name: 'TestgradDecision' }), value: 'differential' }),
  );

  // The same input again: no call of the model, no execution of a test, the same answer.
  const again = (await (await bench.start(input)).result()) as Decision;
  expect(bench.requests('whole')).toHaveLength(8);
  expect(again.steps.map(({ executedFiles }) => executedFiles)).toEqual([0, 0, 0, 0]);
  expect(meaningOf(again)).toEqual(meaningOf(decision));
}, 180_000);

test('the preset of the paper stops at the first differential test and leaves the choice to the checker', async () => {
  const { extensions } = presetSettings({ preset: 'paper', model: 'paper' });
  const { decision } = await bench.select({
    name: 'paper',
    script: scriptedRun({ updates: SEPARATING }),
    settings: { preset: 'paper', extensions },
  });
  expect(decision).toMatchObject({ kind: 'differential', ended: 'separated', steps: [{ loss: 1 }, { loss: 0 }] });
  const asked = bench.requests('paper');
  expect(asked.map(({ role }) => role)).toEqual(['optimizer', 'optimizer', 'checker']);
  // Candidates are not shown to its optimizer.
  expect(asked[0]?.toolNames).not.toContain('show_candidate');
}, 120_000);

test('leaders that nothing separates may be declared equal, after two failed updates', async () => {
  const script = scriptedRun();
  const { decision } = await bench.select({
    name: 'equal',
    agents: ['right', 'also-right'],
    script: (request, n) => {
      if (!request.toolNames.includes('declare_equal')) return script(request, n);
      return { toolCalls: [{ name: 'declare_equal', arguments: { reason: 'Both drop whole words.' } }] };
    },
  });
  expect(decision).toMatchObject({ kind: 'equivalent', ended: 'equal', chosenBy: 'checker' });
  expect(decision.steps).toHaveLength(3);
  expect(decision.warnings.join()).toContain('Both drop whole words.');
}, 120_000);

test('candidates that make the same change are executed once and need no model', async () => {
  const twin = join(bench.dir, 'twin.diff');
  const right = await readFile(bench.project.patches.right ?? '', 'utf8');
  // The same change in another dress: without the index line, with fewer lines of context.
  await writeFile(twin, right.replace(/^index .*\n/m, ''));
  const { decision } = await bench.select({
    name: 'twins',
    agents: ['right', 'twin'],
    patches: { twin },
    script: scriptedRun(),
  });
  expect(decision).toMatchObject({ kind: 'equivalent', ended: 'not-needed', selected: 'right', chosenBy: 'rule' });
  expect(decision.candidates).toMatchObject([{ sameAs: 'c1' }, { sameAs: 'c1' }]);
  expect(bench.requests('twins')).toEqual([]);
}, 60_000);

test('a single usable candidate is taken, and of none none', async () => {
  const stale = join(bench.dir, 'stale.diff');
  const staler = join(bench.dir, 'staler.diff');
  const right = await readFile(bench.project.patches.right ?? '', 'utf8');
  await writeFile(stale, right.replace('slug = slug[:max_length]', 'slug = slug[:length]'));
  await writeFile(staler, right.replaceAll('slugs.py', 'gone.py'));

  const single = await bench.select({
    name: 'single',
    agents: ['stale', 'right'],
    patches: { stale },
    script: scriptedRun(),
  });
  expect(single.decision).toMatchObject({ kind: 'single', ended: 'not-needed', selected: 'right' });
  expect(single.decision.candidates[0]).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });

  const none = await bench.select({
    name: 'none',
    agents: ['stale', 'staler'],
    patches: { stale, staler },
    script: scriptedRun(),
  });
  expect(none.decision).toMatchObject({ kind: 'no-candidate', selected: null });
  expect([...bench.requests('single'), ...bench.requests('none')]).toEqual([]);
}, 60_000);

test('a spent budget ends the loop, and the checker still decides', async () => {
  const { decision } = await bench.select({
    name: 'budget',
    script: scriptedRun(),
    // The first turn spends it.
    settings: { maxTokens: 2_000 },
  });
  expect(decision).toMatchObject({ kind: 'fallback', ended: 'tokens', chosenBy: 'checker' });
  expect(decision.leaders).toHaveLength(3);
  expect(bench.requests('budget').map(({ role }) => role)).toEqual(['optimizer', 'checker']);
}, 60_000);

test('an unusable checker leaves the choice to the rule, an unusable judge leaves rows without a class', async () => {
  const script = scriptedRun({ updates: SEPARATING });
  const { decision } = await bench.select({
    name: 'unusable',
    settings: { steps: 1 },
    script: (request, n) => (request.role === 'optimizer' ? script(request, n) : { content: 'I would rather not.' }),
  });
  // Two of three pass the new test, but nobody says what it is worth.
  expect(decision).toMatchObject({ kind: 'fallback', chosenBy: 'rule', selected: 'right' });
  expect(decision.leaders).toHaveLength(3);
  expect((await matrixOf(decision)).rows.filter(({ kind }) => kind === 'differential')).toMatchObject([
    { judgement: null },
  ]);
  // Each was corrected once.
  const roles = bench.requests('unusable').map(({ role }) => role);
  expect(roles).toEqual(['optimizer', 'optimizer', 'judge', 'judge', 'checker', 'checker']);
}, 120_000);

test('the matrix is there without a model', async () => {
  const input = await bench.prepare({ name: '', script: scriptedRun(), settings: { steps: 0 } });
  const run = (await server.env.client.workflow.execute('runMatrix', {
    args: [input],
    taskQueue: input.taskQueue,
    workflowId: `testgrad/matrix/${input.runId}`,
  })) as MatrixRun;
  expect(run.score).toMatchObject({ loss: 1, counts: { differential: 0, rows: 6 } });
  const matrix = await getJson<Matrix>({ store: bench.store, ref: run.matrix });
  expect(Object.keys(matrix.rows[0]?.cells ?? {})).toEqual(['c1', 'c2', 'c3']);
  expect(matrix.rows.every(({ base }) => base.status === 'passed')).toBe(true);
  expect(existsSync(join(bench.home, 'work', 'runs', input.runId))).toBe(false);
}, 60_000);
