import { expect, test } from 'vitest';
import { instancePage, noMaterial } from '../../src/report/page-data-instance.js';
import { renderCandidate, renderStep, renderTest } from '../../src/report/terminal-detail.js';
import { decision, MATRIX, SUITE } from './fixture.js';

const PATCH = 'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+new \u001b[2Jgone\n';
const page = instancePage({
  ...noMaterial({ id: 'x', runId: '7f3k0a1b2c3d', title: 'shop' }),
  decision: decision(),
  matrix: MATRIX,
  suite: SUITE,
  patches: new Map([['c2', PATCH]]),
});
const form = { columns: 80, colour: false };
const first = <T>(list: readonly T[], what: string): T => {
  const [found] = list;
  if (found === undefined) throw new Error(`the fixture has no ${what}`);
  return found;
};
const row = first(page.matrix?.rows ?? [], 'row');
const columns = page.matrix?.columns ?? [];

test('a step, a test and a candidate at 80 columns', async () => {
  const step = first(page.steps.slice(-1), 'step');
  const candidate = first(page.candidates, 'candidate');
  const parts = [
    renderStep({ step, form }),
    renderTest({ row, matrixColumns: columns, source: 'def test_a():\n    assert 1\n', form }),
    renderCandidate({ candidate, page, patch: PATCH, form }),
  ];
  await expect(parts.join('\n=====\n')).toMatchFileSnapshot('golden/detail-80.txt');
});

test('nothing of a patch, a message or a source can touch the terminal', () => {
  const evil = '\u001b]0;title\u0007\u001b[2J\u202efdp';
  const cells = columns.map(() => ({ mark: 'failed' as const, reruns: 0, message: evil }));
  const text = [
    renderTest({ row: { ...row, cells }, matrixColumns: columns, source: evil, form }),
    renderCandidate({ candidate: first(page.candidates, 'candidate'), page, patch: `${PATCH}+${evil}\n`, form }),
  ].join('');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('a long failure is cut to what fits on a screen', () => {
  const message = Array.from({ length: 99 }, (_, at) => `line ${at}`).join('\n');
  const cells = columns.map((_, at) => ({ mark: 'failed' as const, reruns: 0, message: at === 0 ? message : '' }));
  const text = renderTest({ row: { ...row, cells }, matrixColumns: columns, source: null, form });
  expect(text).toContain('line 11');
  expect(text).not.toContain('line 12');
});
