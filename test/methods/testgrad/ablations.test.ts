import { describe, expect, it } from 'vitest';
import { type Ablation, ablated, partsOf, WHOLE_METHOD } from '../../../src/core/ablation.js';
import { presetSettings } from '../../../src/core/settings.js';
import { renderPassCounts } from '../../../src/methods/testgrad/candidates-view.js';
import { type OptimizerSubject, optimizerMessages } from '../../../src/methods/testgrad/optimizer-prompt.js';
import { optimizerToolNames, optimizerTools } from '../../../src/methods/testgrad/optimizer-tools.js';
import { withheld } from '../../../src/methods/testgrad/withheld.js';
import { ISSUE, LABELS, matrix, row, SETUP, score } from './subjects.js';

const paper = presetSettings({ preset: 'paper', model: 'm' });

const subject = (more: Partial<OptimizerSubject> = {}): OptimizerSubject => ({
  ...SETUP,
  issue: ISSUE,
  suiteView: 'tests/test_lru.py: test_a, test_b',
  matrixView: 'test_a: A B C D pass',
  score: score(),
  momentumText: 'Dead end: 2 of 2 failed updates',
  inventoryText: 'helpers: tests/__init__.py::CacheTestMixin',
  step: 2,
  steps: 8,
  leadersView: '',
  extensions: paper.extensions,
  ...more,
});

/** All that the optimizer is told in an ablation; without a name in the whole method. */
function told(ablation?: Ablation, more: Partial<OptimizerSubject> = {}) {
  const parts = ablation === undefined ? WHOLE_METHOD : partsOf(ablated({ settings: paper, ablation }));
  const names = optimizerToolNames({ showCandidates: false, mayDeclareEqual: false, mayRead: parts.read });
  const [system, user] = optimizerMessages(subject({ parts, ...more })).map(({ content }) => content);
  const tools = optimizerTools(names, parts);
  return { system: system ?? '', user: user ?? '', tools, all: JSON.stringify([system, user, tools]) };
}

describe('what the optimizer is told', () => {
  it('is the same whether the whole method is named or not', () => {
    const names = optimizerToolNames({ showCandidates: true, mayDeclareEqual: true });
    expect(optimizerTools(names)).toEqual(optimizerTools(names, WHOLE_METHOD));
    expect(optimizerMessages(subject())).toEqual(optimizerMessages(subject({ parts: WHOLE_METHOD })));
    const whole = told();
    for (const words of [
      'Read first',
      '`reuse`',
      '`update`',
      'L(y_1) = 1',
      'the momentum calls exhausted',
      'CacheTestMixin',
    ]) {
      expect(whole.system + whole.user).toContain(words);
    }
  });

  it('without Read is nothing of the repository but the suite, and only how to submit', () => {
    const { tools, all, user } = told('no-read');
    expect(tools.map(({ name }) => name)).toEqual(['submit_update']);
    expect(all).not.toMatch(/read_file|reuse|Read first|Read what you need|First read|CacheTestMixin|inventory/i);
    expect(user).toContain('tests/test_lru.py: test_a, test_b');
    expect(user).toContain('6 more after it. Submit the update with `submit_update`.');
    expect(all).toContain('staleBecause');
  });

  it('without Update offers to create and to delete', () => {
    const { tools, all, system } = told('no-update');
    expect(all).not.toMatch(/staleBecause|\\"update\\"|"const":"update"/);
    expect(system).not.toContain('  - `update`');
    expect(all).toContain('obsoleteBecause');
    expect(tools.map(({ name }) => name)).toContain('read_file');
  });

  it('without both does neither', () => {
    const { all, tools } = told('no-read-no-update');
    expect(tools).toHaveLength(1);
    expect(all).not.toMatch(/staleBecause|reuse/);
  });

  it('without momentum is nothing of the updates that failed', () => {
    expect(told('no-momentum').all).not.toMatch(/momentum|Dead end|failedDirection|exhausted|No update has failed/i);
  });

  it('with raw memory is every failed update, without the word of momentum', () => {
    const { all, user } = told('raw-memory', { momentumText: 'Update 1 (uniform): …' });
    expect(user).toContain('## The failed updates\n\n<failed_updates>\nUpdate 1 (uniform): …\n</failed_updates>');
    expect(all).toContain('failedDirection');
    expect(all).not.toMatch(/momentum/i);
    expect(told('raw-memory', { momentumText: '' }).user).toContain('No update has failed yet.');
  });

  it('with the pass count is what counts then, and nothing of the loss or a judge', () => {
    const rows = [row({ testId: 't.py::a', cells: ['passed', 'failed', 'passed', 'passed'] })];
    const leadersView = renderPassCounts({ matrix: matrix(rows), labels: LABELS });
    expect(leadersView).toBe('Passed tests: A 0, B 1, C 1, D 1.');
    const { all, user } = told('pass-count', { leadersView });
    expect(user).toContain(leadersView);
    expect(all).toContain('The candidate that passes most tests of the suite is chosen.');
    expect(all).not.toMatch(/loss|L\(y_|a separate judge|non-differential/);
  });
});

describe('an update that a part of the method is missing for', () => {
  const update = { op: 'update', file: 't.py', test: 'test_a', source: '', staleBecause: '' } as const;
  const edit = { diagnosis: '', failedDirection: '', reuse: [], operations: [update] };

  it('is refused with the tests that it would update', () => {
    const parts = { ...WHOLE_METHOD, update: false };
    expect(withheld({ edit, parts })).toEqual([expect.stringContaining('t.py::test_a')]);
    expect(
      withheld({
        edit: { ...edit, operations: [{ op: 'delete', file: 't.py', test: 'a', obsoleteBecause: '' }] },
        parts,
      }),
    ).toEqual([]);
    expect(withheld({ edit, parts: WHOLE_METHOD })).toEqual([]);
  });
});
