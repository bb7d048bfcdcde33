import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Progress } from '../../src/core/progress.js';
import { durationText, type LiveFacts, renderFrame, renderLine } from '../../src/report/live-frame.js';

const facts: LiveFacts = {
  runId: '7f3k0a1b2c3d',
  title: 'shop: OneToOneField to a parent model should imply parent_link',
  model: 'minimax-m2.7',
  maxTokens: 3_000_000,
  elapsedMs: 171_000,
  idleMs: 48_000,
  trouble: null,
  uiUrl: 'http://127.0.0.1:8233/namespaces/default/workflows/testgrad%2Fselect%2F7f3k0a1b2c3d',
};

const progress: Progress = {
  phase: 'backward',
  message: 'Optimizer works on update 3',
  step: 2,
  steps: 8,
  turn: 5,
  candidates: ['claude', 'codex', 'openhands', 'human'].map((agent, index) => ({ id: `c${index + 1}`, agent })),
  leaders: ['c2', 'c4'],
  rows: 37,
  differential: 1,
  evidence: 1,
  flaky: 1,
  failedUpdates: 2,
  executedFiles: 14,
  reusedFiles: 20,
  tokens: 212_000,
  usd: 0.09,
  possibleDuplicates: 0,
  paused: false,
};

for (const columns of [80, 120]) {
  for (const colour of [false, true]) {
    test(`the frame at ${columns} columns${colour ? ' with colour' : ''}`, async () => {
      const frame = renderFrame({ facts, progress, columns, colour });
      await expect(frame).toMatchFileSnapshot(`golden/frame-${columns}${colour ? '-colour' : ''}.txt`);
      for (const line of frame.split('\n').filter((each) => !each.includes('http://'))) {
        expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
      }
    });
  }
}

test('before the first answer the frame says what it waits for', () => {
  const frame = renderFrame({ facts: { ...facts, idleMs: null }, progress: null, columns: 80, colour: false });
  expect(frame).toContain('waiting for a worker');
  expect(frame).toContain('testgrad watch 7f3k0a1b');
});

test('what a run waits out is shown in full width and three lines at most', () => {
  const trouble = `optimizerTurn is tried again (attempt 3): TG-M04 ${'the endpoint limits the rate '.repeat(20)}`;
  const frame = renderFrame({ facts: { ...facts, trouble }, progress, columns: 80, colour: false });
  const lines = frame.split('\n').filter((line) => line.startsWith('   '));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('attempt 3');
});

test('plain lines hold no control characters whatever a message says', () => {
  const evil = '\u001b[2Jgone\u0007\n\u202efdp';
  const line = renderLine({ runId: 'r1', progress: { ...progress, message: evil, paused: true } });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(line).toContain('paused');
  const frame = renderFrame({
    facts: { ...facts, title: evil },
    progress: { ...progress, message: evil },
    columns: 80,
    colour: false,
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
  expect(frame).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('durations', () => {
  expect([0, 7400, 750_000, 3_723_000].map(durationText)).toEqual(['0:00', '0:07', '12:30', '1:02:03']);
});
