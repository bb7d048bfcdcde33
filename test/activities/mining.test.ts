import { describe, expect, it } from 'vitest';
import { mine } from '../../src/activities/mining.js';
import type { FailedUpdate } from '../../src/core/failure-memory.js';

const update = (step: number, ...lines: readonly string[]): FailedUpdate => ({
  step,
  kind: 'uniform',
  reason: '',
  direction: 'warnings of the build',
  tests: [
    {
      name: 'test_toctree',
      file: 'tests/test_toctree.py',
      source: [
        '@pytest.mark.sphinx("html", testroot="toctree")',
        `def test_toctree_${step}(app, warning):`,
        ...lines.map((line) => `    ${line}`),
      ].join('\n'),
    },
  ],
  deleted: [],
});

const check = (local: string): readonly string[] => [
  'app.build()',
  `${local} = warning.getvalue()`,
  `assert "genindex'" not in ${local}`,
  `assert "modindex'" not in ${local}`,
  `assert "search'" not in ${local}`,
];

const memory = [
  update(1, ...check('warnings'), 'assert "index" in app.env.toctree_includes'),
  update(2, 'app.builder.build_all()', ...check('warn')),
  update(3, ...check('warn'), 'assert "WARNING" not in warn'),
];

const steer = ['assertion assert_node(node, cls)'];

describe('mine', () => {
  it('retains the sequence of three suites that differ in a local’s name, and steers elsewhere', async () => {
    const momentum = await mine({ memory, minSupport: 2, steer, focus: ['toctree'] });
    expect(momentum.patterns[0]).toMatchObject({ texts: check('warn'), support: 3 });
    expect(momentum.text).toBe(
      [
        'Dead end: 3 of 3 failed updates',
        ...check('warn').map((line) => `  ${line}`),
        'Not used by any of them, try instead: assertion assert_node(node, cls)',
      ].join('\n'),
    );
    expect(momentum.tokens).toBeLessThanOrEqual(150);
    expect(momentum.complete).toBe(true);
  });

  it('gives the same bytes again, and agrees up to literals where nothing else is shared', async () => {
    const task = { memory, minSupport: 2, steer, focus: [] };
    expect(JSON.stringify(await mine(task))).toBe(JSON.stringify(await mine(task)));
    const apart = [
      update(1, 'app.open("a", 1)', 'assert app.size == 3'),
      update(2, 'app.open("b", 2)', 'assert app.size == 4'),
    ];
    const momentum = await mine({ ...task, memory: apart.map((one) => withoutDecorator(one)) });
    expect(momentum.abstractedLiterals).toBe(true);
    expect(momentum.text).toContain(
      'Dead end: 2 of 2 failed updates (literals aside)\n  app.open("b", 2)\n  assert app.size == 4',
    );
  });

  it('says why updates could not run or be applied, and how many', async () => {
    const others = (['could-not-run', 'could-not-run', 'not-applied', 'no-update'] as const).map((kind, index) => ({
      ...update(4 + index),
      kind,
      reason: `reason ${index}`,
      tests: [],
    }));
    const { text, failedUpdates } = await mine({ memory: [...memory, ...others], minSupport: 2, steer, focus: [] });
    expect(failedUpdates).toBe(7);
    expect(text).toContain('Dead end: 3 of 7 failed updates');
    expect(text).toContain(
      'Also failed: 1 not applied (reason 2), 2 could not run (reason 1), 1 without an update (reason 3)',
    );
  });
});

const withoutDecorator = (one: FailedUpdate): FailedUpdate => ({
  ...one,
  tests: one.tests.map((test) => ({ ...test, source: test.source.replace(/^@.*\n/, '') })),
});
