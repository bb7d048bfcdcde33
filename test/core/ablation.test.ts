import { describe, expect, it } from 'vitest';
import { ABLATIONS, ablated, partsOf, WHOLE_METHOD } from '../../src/core/ablation.js';
import type { Matrix } from '../../src/core/matrix.js';
import type { OutcomeStatus } from '../../src/core/outcome.js';
import { scoreMatrix } from '../../src/core/score.js';
import { presetSettings } from '../../src/core/settings.js';

const whole = presetSettings({ preset: 'balanced', model: 'm' });

/** A matrix from pictures of its rows: `.F` means that c1 passes and c2 fails. */
function matrix(pictures: readonly string[]): Matrix {
  const cell = (status: OutcomeStatus) => ({ status, phase: 'call', message: '', reruns: [] }) as const;
  return {
    schema: 'testgrad.matrix/1',
    step: 1,
    candidates: [...(pictures[0] ?? '')].map((_, index) => `c${index + 1}`),
    rows: pictures.map((picture, at) => ({
      testId: `t.py::test_${at}`,
      origin: 'created',
      step: 1,
      kind: new Set(picture).size > 1 ? 'differential' : 'uniform',
      cells: Object.fromEntries(
        [...picture].map((sign, index) => [`c${index + 1}`, cell(sign === '.' ? 'passed' : 'failed')]),
      ),
      base: cell('failed'),
      judgement: null,
    })),
  };
}

describe('ablations', () => {
  it('take away what their name says, and nothing else', () => {
    const parts = Object.fromEntries(ABLATIONS.map((each) => [each, ablated({ settings: whole, ablation: each })]));
    expect(partsOf(parts['no-read'] ?? whole)).toEqual({ ...WHOLE_METHOD, read: false });
    expect(partsOf(parts['no-update'] ?? whole)).toEqual({ ...WHOLE_METHOD, update: false });
    expect(partsOf(parts['no-read-no-update'] ?? whole)).toEqual({ ...WHOLE_METHOD, read: false, update: false });
    expect(partsOf(parts['no-momentum'] ?? whole)).toEqual({ ...WHOLE_METHOD, memory: 'none' });
    expect(partsOf(parts['raw-memory'] ?? whole)).toEqual({ ...WHOLE_METHOD, memory: 'raw' });
    expect(partsOf(parts['pass-count'] ?? whole)).toEqual({ ...WHOLE_METHOD, objective: 'pass-count' });
    expect(parts['pass-count']?.extensions).toEqual({ ...whole.extensions, ...OFF });
    expect(parts['no-read']).toEqual({ ...whole, parts: { ...WHOLE_METHOD, read: false } });
  });

  it('leave settings of a whole method without a word on its parts, as they tell runs apart', () => {
    expect(JSON.stringify(ablated({ settings: whole, ablation: 'no-iteration' }))).toBe(
      JSON.stringify({ ...whole, steps: 1 }),
    );
    expect(partsOf(whole)).toBe(WHOLE_METHOD);
  });

  it('add up', () => {
    const both = ablated({ settings: ablated({ settings: whole, ablation: 'no-read' }), ablation: 'no-update' });
    expect(both).toEqual(ablated({ settings: whole, ablation: 'no-read-no-update' }));
  });
});

const OFF = { separateLeaders: false, judgeRows: false, runLeadersOnly: false };

describe('the pass count as objective', () => {
  const settings = ablated({ settings: whole, ablation: 'pass-count' });
  const score = (pictures: readonly string[]) =>
    scoreMatrix({ matrix: matrix(pictures), settings, previousLeaders: ['c3'] });

  it('has those in the lead that pass most tests, whatever the tests are worth', () => {
    expect(score(['..F', '.FF', '...'])).toMatchObject({ leaders: ['c1'], leaderLoss: 0 });
    expect(score(['..F', '...'])).toMatchObject({ leaders: ['c1', 'c2'], leaderLoss: 1 });
  });

  it('does not take a differential row for a decision where passes and failures even out', () => {
    expect(score(['.F', 'F.'])).toMatchObject({ loss: 0, leaders: ['c1', 'c2'], leaderLoss: 1 });
  });
});
