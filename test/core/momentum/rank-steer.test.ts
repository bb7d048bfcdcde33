import { describe, expect, it } from 'vitest';
import { rankSteer, type SteerCandidate } from '../../../src/core/momentum/rank-steer.js';

const entry = (
  aspect: SteerCandidate['aspect'],
  symbol: string,
  count = 1,
  more: Partial<SteerCandidate> = {},
): SteerCandidate => ({ aspect, symbol, count, file: 'tests/test_a.py', ...more });

const rank = (candidates: readonly SteerCandidate[], used = '') =>
  rankSteer({
    candidates,
    issueNames: new Set(['TTLCache']),
    touched: { paths: ['src/pkg/core.py'], modules: ['pkg.core'], symbols: ['popitem', 'Base'] },
    used,
  });

describe('rankSteer', () => {
  it('puts the issue before touched symbols, these before their namesakes, and the rest by use', () => {
    expect(
      rank([
        entry('fixture', 'make_app', 90),
        entry('api', 'pkg.core.other', 50),
        entry('api', 'pkg.core.Base.popitem', 3),
        entry('api', 'pkg.core.FastBase', 2),
        entry('api', 'pkg.TTLCache', 1),
        entry('assertion', 'assert_node', 100, { detail: '(node, cls)' }),
      ]),
    ).toEqual([
      'pkg.TTLCache',
      'pkg.core.Base.popitem',
      'pkg.core.FastBase',
      'assertion assert_node(node, cls)',
      'fixture make_app',
    ]);
  });

  it('leaves out what was used, by its name alone', () => {
    const candidates = [entry('helper', 'Mixin._check'), entry('helper', 'check_all'), entry('api', 'pkg.TTLCache')];
    expect(rank(candidates, 'self._check(cache)\nx = "TTLCaches"')).toEqual(['pkg.TTLCache', 'helper check_all']);
  });

  it('leaves out values, the frameworks’ own vocabulary, and product code without relation', () => {
    expect(
      rank([
        entry('expected-value', 'TTLCache', 9),
        entry('assertion', 'self.assertEqual', 99),
        entry('assertion', 'pytest.raises', 9),
        entry('assertion', 'assert … == …', 9),
        entry('base-class', 'unittest.TestCase', 9),
        entry('fixture', 'tmp_path', 9),
        entry('fixture', 'setUp', 9),
        entry('api', 'pkg.util.unrelated', 9),
        entry('api', 'x', 9),
        entry('assertion', 'self.assertBetween', 1),
      ]),
    ).toEqual(['assertion self.assertBetween']);
  });

  it('names a thing once and five at most', () => {
    const many = Array.from({ length: 9 }, (_, index) => entry('helper', `helper_${index}`));
    expect(rank([...many, entry('assertion', 'self.helper_0', 5)])).toEqual([
      'assertion self.helper_0',
      'helper helper_1',
      'helper helper_2',
      'helper helper_3',
      'helper helper_4',
    ]);
  });
});
