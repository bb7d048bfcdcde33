import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../src/source/module-names.js';
import { rankTestFiles } from '../../src/source/relevance.js';

const touched = (path: string, ...symbols: string[]) => ({ path, modules: modulesOf({ path }), symbols });
const rank = (files: Record<string, string>, ...changes: ReturnType<typeof touched>[]) =>
  rankTestFiles({
    testFiles: Object.entries(files).map(([path, text]) => ({ path, text })),
    touched: changes,
    limit: 10,
  });

/** Files that have to do with nothing, so that a symbol can be rare. */
const others = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`tests/test_other${index}.py`, 'from pkg import Else\nElse().run()\n']),
);

describe('rankTestFiles', () => {
  it.each([
    ['from pkg.core.engine import Engine\n', 'imports Engine from pkg.core.engine'],
    ['from pkg.core.engine import (\n    other,  # why\n    Engine as E,\n)\n', 'imports Engine from pkg.core.engine'],
    ['def test():\n    from pkg.core.engine import other\n', 'imports pkg.core.engine'],
    ['import pkg.core.engine as e, os\n', 'imports pkg.core.engine'],
    ['from pkg.core import engine\n', 'imports pkg.core.engine'],
    ['from ..pkg.core.engine import x\n', 'imports pkg.core.engine'],
    ['from pkg import Engine\n', 'uses Engine through pkg'],
    ['import pkg as p\np.Engine()\n', 'uses Engine through pkg'],
    ['import pkg\npkg.core.engine.x()\n', 'uses pkg.core.engine through pkg'],
    ['from pkg import *\nEngine()\n', 'uses Engine through pkg'],
    ['make("Engine")\n', 'names Engine'],
  ])('finds %j', (text, reason) => {
    const files = { ...others, 'tests/test_a.py': text };
    expect(rank(files, touched('pkg/core/engine.py', 'Engine'))).toEqual([{ path: 'tests/test_a.py', reason }]);
  });

  it('finds files that are called after the touched one', () => {
    const files = {
      ...others,
      'tests/core/test_engine.py': '',
      'tests/web/engine_test.py': '',
      'tests/engine/tests.py': '',
    };
    expect(rank(files, touched('pkg/core/engine.py')).map(({ path }) => path)).toEqual([
      'tests/core/test_engine.py',
      'tests/engine/tests.py',
      'tests/web/engine_test.py',
    ]);
  });

  it('resolves relative imports of tests inside the package', () => {
    const files = { ...others, 'src/pkg/core/tests/test_x.py': 'from ..engine import x\nfrom . import y\n' };
    expect(rank(files, touched('src/pkg/core/engine.py'))).toHaveLength(1);
  });

  it('ranks by strength, then by path, and keeps to the limit', () => {
    const files = {
      ...others,
      'tests/test_c.py': 'from pkg.core.engine import Engine\nfrom pkg.web import Site\n',
      'tests/test_b.py': 'from pkg.core.engine import Engine\n',
      'tests/test_a.py': 'from pkg.core.engine import Engine\n',
      'tests/test_d.py': 'import pkg.core.engine\n',
      'tests/test_e.py': 'Engine\n',
    };
    const changes = [touched('pkg/core/engine.py', 'Engine'), touched('pkg/web.py', 'Site')];
    const paths = rank(files, ...changes).map(({ path }) => path.slice(11, 12));
    // test_e.py has one word in common, which is little beside the others.
    expect(paths).toEqual(['c', 'a', 'b', 'd']);
    expect(rank({ 'tests/test_e.py': 'Engine\n', 'tests/test_f.py': 'other\n' }, ...changes)).toHaveLength(1);
    const testFiles = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(rankTestFiles({ testFiles, touched: changes, limit: 2 })).toHaveLength(2);
  });

  it('counts a symbol that all test files name for nothing', () => {
    expect(rank(others, touched('pkg/other.py', 'run'))).toEqual([]);
  });

  it('joins what several candidates touch in one file', () => {
    const files = { ...others, 'tests/test_a.py': 'first\n', 'tests/test_b.py': 'second\n' };
    const found = rank(files, touched('pkg/x.py', 'first'), touched('pkg/x.py', 'second'));
    expect(found.map(({ reason }) => reason)).toEqual(['names first', 'names second']);
  });

  it('takes what the issue speaks of into account', () => {
    const files = {
      ...others,
      'tests/delete/tests.py': 'from pkg import models\n',
      'tests/test_signals.py': 'pre_delete.connect(f)\n',
      'tests/test_engine.py': 'make("Engine")\n',
    };
    const testFiles = Object.entries(files).map(([path, text]) => ({ path, text }));
    const change = [touched('pkg/core/engine.py', 'Engine')];
    const issue = 'delete() clears no key, and `pre_delete` is not sent.';
    expect(rankTestFiles({ testFiles, touched: change, issue, limit: 10 })).toEqual([
      { path: 'tests/test_engine.py', reason: 'is called after engine.py' },
      { path: 'tests/delete/tests.py', reason: 'is called after what the issue names' },
      { path: 'tests/test_signals.py', reason: 'names pre_delete, as the issue does' },
    ]);
  });
});
