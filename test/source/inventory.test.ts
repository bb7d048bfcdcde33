import { describe, expect, it } from 'vitest';
import { buildInventory, type Inventory, renderInventory } from '../../src/source/inventory.js';

const text = `
import pkg.util
import pytest
from pkg.core import Engine, run as start
from .support import check
from unittest.mock import patch

EXPECTED = {"a": 1}


def helper(x):
    from pkg.late import thing
    return thing(x)


@pytest.fixture
def engine(config):
    return Engine()


class Base(SimpleTestCase):
    def setUp(self):
        self.x = 1

    def make(self):
        return Engine()


@isolate_apps("a")
class EngineTests(Base):
    def test_a(self):
        self.assertEqual(self.make().check(), [Error("x", id=1)])
        self.assertEqual(start(), [Error("y")])
        with self.assertRaisesMessage(E, "m"):
            helper("self.assertEqual(1, 2)")


@pytest.mark.parametrize("value, other", [(1, 2)])
def test_b(engine, value, other, tmp_path):
    assert helper(value) == EXPECTED  # assert nothing
    assert "a" not in check(engine)
    assert not pkg.util.empty(engine)
    with pytest.raises(ValueError):
        start()
`;

const build = () =>
  buildInventory({
    files: [
      { path: 'tests/test_x.py', text },
      { path: 'tests/test_bad.py', text: 'def f(:\n' },
    ],
    conftests: [{ path: 'tests/conftest.py', text: '@pytest.fixture\ndef config(): pass\n\n\ndef hook(): pass\n' }],
    projectModules: ['pkg'],
  });

const symbols = ({ entries }: Inventory, aspect: string) =>
  Object.fromEntries(entries.filter((entry) => entry.aspect === aspect).map(({ symbol, count }) => [symbol, count]));

describe('buildInventory', () => {
  it('counts the six aspects', async () => {
    const inventory = await build();
    expect(symbols(inventory, 'api')).toEqual({
      'pkg.core.Engine': 2,
      'pkg.core.run': 2,
      'pkg.util': 1,
      'pkg.late.thing': 1,
    });
    expect(symbols(inventory, 'assertion')).toEqual({
      'self.assertEqual': 2,
      'self.assertRaisesMessage': 1,
      'assert … == …': 1,
      'assert … not in …': 1,
      'assert not …': 1,
      'pytest.raises': 1,
    });
    expect(symbols(inventory, 'fixture')).toEqual({
      engine: 1,
      config: 1,
      setUp: 1,
      tmp_path: 1,
      '@isolate_apps': 1,
      '@pytest.mark.parametrize': 1,
    });
    expect(symbols(inventory, 'base-class')).toEqual({ SimpleTestCase: 1, Base: 1 });
    expect(symbols(inventory, 'expected-value')).toEqual({ '[Error(…)]': 2, EXPECTED: 1 });
    expect(symbols(inventory, 'helper')).toEqual({ helper: 2, '.support.check': 1, 'Base.make': 1 });
  });

  it('tells where a thing is defined, else where it is used', async () => {
    const { entries } = await build();
    const place = (symbol: string) => entries.find((entry) => entry.symbol === symbol);
    expect(place('config')).toMatchObject({ file: 'tests/conftest.py', line: 1 });
    expect(place('helper')).toMatchObject({ file: 'tests/test_x.py', line: 11 });
    expect(place('self.assertEqual')).toMatchObject({ line: 32 });
  });

  it('reports files that do not parse', async () => {
    expect((await build()).skipped).toEqual([{ file: 'tests/test_bad.py', reason: 'syntax error in line 1' }]);
  });
});

describe('renderInventory', () => {
  const countTokens = (shown: string): number => shown.length;

  it('drops the least used of each aspect first, within its tokens', async () => {
    const inventory = await build();
    const whole = renderInventory({ inventory, countTokens, maxTokens: 10_000 });
    expect(whole).toContain('Assertion conventions:\n  self.assertEqual ×2 (tests/test_x.py:32)\n');
    expect(whole.endsWith('Not read: tests/test_bad.py (syntax error in line 1).')).toBe(true);
    for (const maxTokens of [0, 40, 300, 600, 900]) {
      expect(renderInventory({ inventory, countTokens, maxTokens }).length).toBeLessThanOrEqual(maxTokens);
    }
    const short = renderInventory({ inventory, countTokens, maxTokens: 600 });
    expect(short).toContain('self.assertEqual');
    expect(short).toContain('Test base classes:\n  Base ×1');
    expect(short).not.toContain('assertRaisesMessage');
    expect(short).toContain('more, used less');
  });

  it('has nothing to say about nothing', () => {
    expect(renderInventory({ inventory: { entries: [], skipped: [] }, countTokens, maxTokens: 10 })).toBe('');
  });
});
