import { expect, test } from 'vitest';
import { ablated } from '../../src/core/ablation.js';
import type { LoopState } from '../../src/core/loop-state.js';
import type { Score } from '../../src/core/matrix.js';
import { presetSettings } from '../../src/core/settings.js';
import { check } from '../../src/workflows/decide.js';
import { type LoopInput, loopEnd } from '../../src/workflows/loop.js';

const REF = { digest: '', bytes: 0, mediaType: '' };

const loop = {
  call: () => {
    throw new Error('nobody is to be asked');
  },
  run: {
    runId: 'run',
    instance: REF,
    settings: ablated({ settings: presetSettings({ preset: 'paper', model: 'm' }), ablation: 'pass-count' }),
  },
  board: { update: () => undefined },
  wishes: { stopRequested: () => false, maxTokens: () => 1000 },
} as unknown as LoopInput;

const scoredWith = (leaders: readonly string[]) => ({
  state: { step: 1, usage: [] } as unknown as LoopState,
  score: { leaders, loss: 0 } as unknown as Score,
  matrix: REF,
});

test('with the pass count the loop goes on while several pass most tests, whatever the loss', () => {
  expect(loopEnd({ loop, scored: scoredWith(['c1', 'c2']) })).toBeNull();
  expect(loopEnd({ loop, scored: scoredWith(['c2']) })).toBe('separated');
});

test('with the pass count the most passed tests win without a checker, and the first of those that share them', async () => {
  const alone = await check({ loop, scored: scoredWith(['c2']), end: 'separated' });
  expect(alone.verdict).toMatchObject({ selectedId: 'c2', kind: 'differential', chosenBy: 'rule' });
  const shared = await check({ loop, scored: scoredWith(['c2', 'c3']), end: 'steps' });
  expect(shared.verdict).toMatchObject({ selectedId: 'c2', kind: 'fallback', chosenBy: 'rule' });
});
