import { expect, test } from 'vitest';
import { type BenchmarkProgress, EMPTY_TALLY } from '../../src/core/benchmark-progress.js';
import { benchmarkLine, failedLine, renderBenchmarkFrame } from '../../src/report/benchmark-frame.js';
import { widthOf } from '../../src/report/columns.js';

const NOW = 10_000_000;
const progress: BenchmarkProgress = {
  items: 500,
  tally: {
    ...EMPTY_TALLY,
    ...{ finished: 228, errors: 3, tokens: 154_000_000, usd: 61.2, possibleDuplicates: 2 },
    byDecided: { 'existing-test': 38, 'created-test': 109, 'updated-test': 31, equivalent: 26, fallback: 24 },
  },
  knownBefore: 100,
  running: Array.from({ length: 12 }, (_, index) => ({
    ...{
      index,
      runId: `${index}`,
      instanceId: `scikit-learn__scikit-learn-1408${index}`,
      arm: 'testgrad-no-read',
      n: 4,
    },
    ...{ startedMs: NOW - (index + 1) * 61_000, restarts: 0 },
  })),
  failed: [
    {
      ...{ runId: '0a1b2c3d4e5f', instanceId: 'matplotlib__matplotlib-24026', arm: 'trae', code: 'TG-S01' },
      message:
        'The tests \u001b[31mdo not run\u0007 on the base: no module named numpy, and much more that is too long.',
    },
  ],
  ...{ width: 12, paused: false, spent: false, budget: { maxTokens: 200_000_000, maxUsd: 80 }, startedMs: 0 },
  timed: { items: 131, wallMs: 131 * 700_000 },
};
const facts = {
  ...{ runId: '7f3k0a1b2c3d', title: 'SWE-bench_Verified', model: 'minimax-m2.7', elapsedMs: 3_490_000, nowMs: NOW },
  uiUrl: 'http://127.0.0.1:8233/x',
};

test.each([80, 120])('a benchmark in work, %i columns', async (columns) => {
  const frame = renderBenchmarkFrame({ facts, progress, columns, colour: false });
  for (const line of frame.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  await expect(`${frame}\n`).toMatchFileSnapshot(`golden/benchmark-frame-${columns}.txt`);
});

test('colour adds no word, and nothing of an error reaches the terminal as a command', () => {
  const plain = renderBenchmarkFrame({ facts, progress, columns: 100, colour: false });
  const coloured = renderBenchmarkFrame({ facts, progress, columns: 100, colour: true });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are made of.
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
  expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('as lines: where it stands, and each error with the command that runs it again', () => {
  expect(benchmarkLine({ runId: facts.runId, progress, nowMs: NOW })).toBe(
    '7f3k0a1b  231/500 done, 12 running, 38 existing test, 31 updated test, 109 created test, 26 equivalent, 24 fallback, 3 errors, 154.0M tokens of 200.0M, $61.20 of $80.00, 2 calls perhaps paid twice, about 4:14:57 left',
  );
  const [failed] = progress.failed;
  if (failed === undefined) throw new Error('no error');
  expect(failedLine({ runId: facts.runId, failed })).toMatch(
    /^7f3k0a1b error matplotlib__matplotlib-24026 trae TG-S01 The tests .*testgrad retry 7f3k0a1b\)$/,
  );
});

test('before a worker answers, while paused, and when the budget is spent', () => {
  expect(renderBenchmarkFrame({ facts, progress: null, columns: 80, colour: false })).toContain('waiting for a worker');
  const shown = (change: Partial<BenchmarkProgress>) =>
    renderBenchmarkFrame({ facts, progress: { ...progress, ...change }, columns: 80, colour: false });
  expect(shown({ paused: true })).toMatch(/PAUSED(?!.* left)/);
  expect(shown({ spent: true })).toContain('BUDGET SPENT');
});
