import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailedSuite } from '../../../src/core/failure-memory.js';
import { mineMomentum } from '../../../src/core/momentum/mine.js';
import { momentumOf } from '../../../src/core/momentum/momentum.js';
import { rawMemoryText } from '../../../src/core/momentum/raw-memory.js';
import { countTokens, failed, suite } from './memory.js';

const core = (local: string) => [
  'app.build()',
  `${local} = warning.getvalue()`,
  `assert "genindex" not in ${local}`,
  `assert "modindex" not in ${local}`,
];

const threeSuites = [
  suite([...core('warnings'), 'assert app.env']),
  suite(['app.prepare()', ...core('warn')]),
  suite(['x = 1'], [...core('warn'), 'assert "other" not in warn']),
];

describe('mineMomentum', () => {
  it('finds the core of all failed updates across local names, with the text of the newest', () => {
    const { patterns, abstractedLiterals, complete } = mineMomentum({
      suites: threeSuites,
      abstractedSuites: [],
      minSupport: 2,
    });
    expect(patterns).toEqual([
      { keys: threeSuites[0]?.functions[0]?.keys.slice(0, 4), texts: core('warn'), support: 3 },
    ]);
    expect({ abstractedLiterals, complete }).toEqual({ abstractedLiterals: false, complete: true });
  });

  it('looks at abstracted literals only when the statements as written share nothing', () => {
    const suites = [suite(['f(1)']), suite(['f(2)'])];
    const abstracted = suites.map(
      (one): FailedSuite => ({
        ...one,
        functions: one.functions.map((each) => ({ ...each, keys: ['f(<num>)'] })),
      }),
    );
    expect(mineMomentum({ suites, abstractedSuites: abstracted, minSupport: 2 })).toEqual({
      patterns: [{ keys: ['f(<num>)'], texts: ['f(2)'], support: 2 }],
      abstractedLiterals: true,
      complete: true,
    });
    const same = [suite(['g()']), suite(['g()'])];
    expect(mineMomentum({ suites: same, abstractedSuites: abstracted, minSupport: 2 }).abstractedLiterals).toBe(false);
    expect(mineMomentum({ suites, abstractedSuites: suites, minSupport: 2 })).toMatchObject({
      patterns: [],
      abstractedLiterals: false,
    });
  });

  it('does not depend on the order of the failed updates', () => {
    const statement = fc.constantFrom('a()', 'b()', 'c = 1', 'assert c');
    const suites = fc.array(fc.array(fc.array(statement, { maxLength: 6 }), { maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(suites, fc.integer({ min: 1, max: 3 }), fc.nat(), (all, minSupport, turn) => {
        const parsed = all.map((functions) => suite(...functions));
        const turned = [...parsed.slice(turn % (all.length || 1)), ...parsed.slice(0, turn % (all.length || 1))];
        const [one, other] = [parsed, turned].map((order) =>
          mineMomentum({ suites: order, abstractedSuites: order, minSupport }).patterns.map(({ keys, support }) => ({
            keys,
            support,
          })),
        );
        expect(other).toEqual(one);
      }),
    );
  });
});

describe('momentumOf', () => {
  const memory = [failed(), failed(), failed()].map((update, index) => ({
    ...update,
    step: index + 1,
    direction: 'warnings of the build',
    tests: [{ name: 'test_a', file: 't.py', source: core('warn').join('\n').repeat(5) }],
  }));

  it('puts together what is mined, shown and measured', () => {
    const momentum = momentumOf({
      memory,
      suites: threeSuites,
      abstractedSuites: [],
      minSupport: 2,
      steer: ['assert_node()'],
      focus: [],
      countTokens,
    });
    expect(momentum).toMatchObject({ schema: 'testgrad.momentum/1', failedUpdates: 3, minSupport: 2 });
    expect(momentum.text).toContain('Dead end: 3 of 3 failed updates\n  app.build()\n');
    expect(momentum.tokens).toBe(countTokens(momentum.text));
    expect(momentum.rawTokens).toBe(countTokens(rawMemoryText(memory)));
    expect(momentum.rawTokens).toBeGreaterThan(3 * momentum.tokens);
  });

  it('is empty before the first failed update', () => {
    const momentum = momentumOf({
      memory: [],
      suites: [],
      abstractedSuites: [],
      minSupport: 2,
      steer: ['x'],
      focus: [],
      countTokens,
    });
    expect(momentum).toMatchObject({ text: '', tokens: 0, rawTokens: 0, patterns: [] });
  });
});
