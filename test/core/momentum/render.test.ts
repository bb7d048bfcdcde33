import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailedSuite, FailureKind } from '../../../src/core/failure-memory.js';
import { mineMomentum } from '../../../src/core/momentum/mine.js';
import { renderMomentum } from '../../../src/core/momentum/render.js';
import { countTokens, failed, suite } from './memory.js';

function render({
  suites,
  others = [],
  steer = [],
  focus = [],
  maxTokens = 150,
  minSupport = 2,
}: {
  suites: readonly FailedSuite[];
  others?: readonly ReturnType<typeof failed>[];
  steer?: readonly string[];
  focus?: readonly string[];
  maxTokens?: number;
  minSupport?: number;
}): string {
  const memory = [...suites.map(() => failed()), ...others];
  const { patterns } = mineMomentum({ suites, abstractedSuites: [], minSupport });
  return renderMomentum({ memory, suites, patterns, minSupport, steer, focus: new Set(focus), countTokens, maxTokens });
}

const shared = ['a()', 'b()', 'c()'];

describe('renderMomentum', () => {
  it('shows the core, how many failed updates hold it, what else failed, and where to go', () => {
    const text = render({
      suites: [suite([...shared, 'x()']), suite(['y()', ...shared]), suite(shared)],
      others: [
        failed('not-applied', 'no test\ncalled test_q'),
        failed('not-applied', 'bad syntax'),
        failed('could-not-run', 'ImportError'),
      ],
      steer: ['assert_node() in util.py', 'make_app'],
    });
    expect(text).toBe(
      [
        'Dead end: 3 of 6 failed updates',
        '  a()',
        '  b()',
        '  c()',
        'Also failed: 2 not applied (bad syntax), 1 could not run (ImportError)',
        'Not used by any of them, try instead: assert_node() in util.py; make_app',
      ].join('\n'),
    );
  });

  it('marks the core of higher support inside a longer block instead of showing both', () => {
    const longer = ['p()', ...shared, 'q()', 'r()'];
    const text = render({ suites: [suite(longer), suite(longer), suite(shared)] });
    expect(text).toBe(
      'Dead end: 2 of 3 failed updates (lines with >: 3 of 3)\n  p()\n> a()\n> b()\n> c()\n  q()\n  r()',
    );
  });

  it('orders blocks by area and drops the least first', () => {
    const suites = [suite(['d()', 'e()'], shared), suite(shared, ['d()', 'e()'])];
    const full = render({ suites });
    expect(full.indexOf('c()')).toBeLessThan(full.indexOf('d()'));
    const short = render({ suites, maxTokens: countTokens(full) - 1 });
    expect(short).toContain('c()');
    expect(short).not.toContain('d()');
  });

  it('puts first what is about the issue or the changes, and leaves set-up out', () => {
    const setUp = ['import pytest', 'x = []', 'f = g()'];
    const plain = ['one.a(1)', 'one.b(2)', 'one.c(3)', 'one.d(4)'];
    const suites = [
      suite(plain, [...setUp, 'cache.popitem()', 'assert cache', 'y = None']),
      suite(plain, [...setUp, 'cache.popitem()', 'assert cache', 'y = None']),
    ];
    const text = render({ suites, focus: ['popitem', 'cache'] });
    expect(text.indexOf('popitem')).toBeLessThan(text.indexOf('one.a'));
    expect(render({ suites })).toMatch(/one\.a[\s\S]*popitem/);
    expect(text).not.toMatch(/import|x = |y = |g\(\)/);
    expect(render({ suites: [suite(setUp), suite(setUp)] })).toBe(
      '2 failed updates; no 2 of them share more than set-up.',
    );
  });

  it('orders equal areas by their place in the newest update', () => {
    const suites = [suite(['a()', 'b()'], ['c()', 'd()']), suite(['c()', 'd()'], ['a()', 'b()'])];
    expect(render({ suites }).match(/[a-d]\(/g)).toEqual(['c(', 'd(', 'a(', 'b(']);
  });

  it('shows single statements only when three updates share them and they tell something, or nothing longer is there', () => {
    const two = [suite(['assert s', 'x()'], ['a()', 'b()']), suite(['assert s', 'y()'], ['a()', 'b()'])];
    expect(render({ suites: two })).not.toContain('assert s');
    expect(render({ suites: [...two, suite(['assert s'])] })).toContain('assert s');
    const call = two.map((one) => ({ ...one, functions: [...one.functions, ...suite(['s.pop(1)']).functions] }));
    const three = [...call, suite(['s.pop(1)'])];
    expect(render({ suites: three })).not.toContain('s.pop(1)');
    expect(render({ suites: three, focus: ['pop'] })).toContain('s.pop(1)');
    expect(render({ suites: [suite(['s()', 'x()']), suite(['s()', 'y()'])] })).toContain('s()');
  });

  it('cuts a first block that is too long, or shows its core instead', () => {
    const long = Array.from({ length: 100 }, (_, index) => `step${index}()`);
    const cut = render({ suites: [suite(long), suite(long)], steer: ['make_app'] });
    expect(cut).toContain('Dead end: 2 of 2');
    expect(cut).toMatch(/step0\(\)\n {2}step1\(\)\n[\s\S]*\n {2}… \d+ more\n/);
    expect(cut).toContain('make_app');
    const core = render({ suites: [suite(long), suite(long), suite(long.slice(40, 45))] });
    expect(core).toBe(
      `Dead end: 3 of 3 failed updates\n${long
        .slice(40, 45)
        .map((line) => `  ${line}`)
        .join('\n')}`,
    );
  });

  it('says so when failed updates share nothing', () => {
    expect(render({ suites: [suite(['a()'])] })).toBe('1 failed update so far.');
    const named = { ...failed(), tests: [{ name: 'TestA::test_fits', file: 't.py', source: '' }] };
    const rest = { suites: [], patterns: [], minSupport: 2, steer: [], countTokens };
    expect(renderMomentum({ memory: [named], ...rest })).toBe('1 failed update so far (test_fits).');
    expect(render({ suites: [suite(['a()']), suite(['b()'])] })).toBe(
      '2 failed updates; no 2 of them share a statement.',
    );
    expect(render({ suites: [], steer: ['make_app'] })).toBe('');
  });

  it('says when blocks agree up to literals only', () => {
    const suites = [suite(['f(1)'])];
    const patterns = [{ keys: ['f(<num>)'], texts: ['f(1)'], support: 2 }];
    const memory = [failed(), failed()];
    const text = renderMomentum({
      memory,
      suites,
      patterns,
      minSupport: 2,
      steer: [],
      countTokens,
      abstractedLiterals: true,
    });
    expect(text).toBe('Dead end: 2 of 2 failed updates (literals aside)\n  f(1)');
  });

  it('never exceeds its budget, is the same each time, and says something from 50 tokens on', () => {
    const statement = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a()', 'b(1, 2)', 'c = d.e[0]', 'assert "x y z" in c') },
      fc.string({ unit: 'grapheme', maxLength: 200 }),
    );
    const suites = fc.array(fc.array(fc.array(statement, { maxLength: 12 }), { maxLength: 3 }), { maxLength: 5 });
    const kinds = fc.constantFrom<FailureKind>('not-applied', 'could-not-run', 'no-update', 'uniform');
    const others = fc.array(fc.tuple(kinds, fc.string({ maxLength: 200 })), { maxLength: 4 });
    const steers = fc.array(fc.string({ maxLength: 100 }), { maxLength: 8 });
    fc.assert(
      fc.property(suites, others, steers, fc.integer({ min: 0, max: 160 }), (all, other, steer, maxTokens) => {
        const input = {
          suites: all.map((functions) => suite(...functions)),
          others: other.map(([kind, reason]) => failed(kind, reason)),
          steer,
          maxTokens,
        };
        const text = render(input);
        expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
        expect(render(input)).toBe(text);
        if (all.length + other.length > 0 && maxTokens >= 50) expect(text).not.toBe('');
      }),
    );
  });
});
