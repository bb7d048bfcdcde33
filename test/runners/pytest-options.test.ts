import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, statuses, writeFiles } from '../support/test-files.js';

const kind = (await hasBubblewrap()) ? 'bubblewrap' : 'none';
const python = await pythonWithPytest();

describe('a project’s own configuration', () => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind });
  });
  afterEach(() => ground.remove());

  const TWO_FAILURES = 'def test_a(): assert 0\ndef test_b(): assert 0\ndef test_c(): pass\n';
  const ALL_THREE = { test_a: 'failed/call', test_b: 'failed/call', test_c: 'passed/call' };

  it('cannot stop the run early, spread it, or ask for plugins that are not there', async () => {
    const addopts = `-xvs --maxfail=1 --maxfail 1 -n auto --dist loadfile -nauto -n4 --cov=pkg --cov pkg
      --cov-report term-missing --cov-fail-under=90 --no-cov-on-fail --lf --ff --sw --pdb --randomly-seed=1 -ra
      --tb=short -p no:doctest --strict-markers`.replace(/\s+/g, ' ');
    const files = { 'setup.cfg': `[tool:pytest]\naddopts = ${addopts}\n`, 'test_it.py': TWO_FAILURES };
    await writeFiles({ dir: ground.treeDir, files });
    const outcome = await runTestFile({ ground, kind, python, file: 'test_it.py', command: 'pytest -x -q' });
    expect(outcome.reason).toBe('');
    expect(statuses(outcome)).toEqual(ALL_THREE);
  });

  it('keeps what chooses tests and how they are imported', async () => {
    const ini = '[pytest]\naddopts = -m "not slow" --import-mode=importlib\nmarkers = slow: takes long\n';
    const test = `
import pytest
def test_name(): assert __name__ == 'tests.a.test_it' or __name__.endswith('test_it')
@pytest.mark.slow
def test_slow(): pass
def test_left_out(): pass
`;
    const files = { 'pytest.ini': ini, 'tests/a/test_it.py': test, 'tests/b/test_it.py': 'def test_b(): pass\n' };
    await writeFiles({ dir: ground.treeDir, files });
    const command = 'python -m pytest -k "not left_out" --deselect tests/a/test_it.py::test_none tests/b';
    const outcome = await runTestFile({ ground, kind, python, file: 'tests/a/test_it.py', command });
    expect(statuses(outcome)).toEqual({ test_name: 'passed/call' });
  });

  it('names tests from the repository’s root even when pytest’s own root is a folder of it', async () => {
    const files = {
      'packages/one/pytest.ini': '[pytest]\n',
      'packages/one/tests/test_it.py': 'class TestA:\n    def test_b(self): assert 0\n',
      'packages/one/tests/test_ill.py': 'import no_such_module\n',
    };
    await writeFiles({ dir: ground.treeDir, files });
    const outcome = await runTestFile({ ground, kind, python, file: 'packages/one/tests/test_it.py' });
    expect(outcome.outcomes).toMatchObject([
      { testId: 'packages/one/tests/test_it.py::TestA::test_b', status: 'failed' },
    ]);
    const ill = await runTestFile({ ground, kind, python, file: 'packages/one/tests/test_ill.py' });
    expect(ill.state).toBe('not-collected');
  });

  it('with warnings as errors meets none of ours', async () => {
    const ini = '[pytest]\nfilterwarnings = error\naddopts = --strict-config --strict-markers -p no:cacheprovider\n';
    await writeFiles({ dir: ground.treeDir, files: { 'pytest.ini': ini, 'test_it.py': 'def test_a(): pass\n' } });
    const outcome = await runTestFile({
      ground,
      kind,
      python,
      file: 'test_it.py',
      command: 'python -W error -m pytest',
    });
    expect({ ...statuses(outcome), reason: outcome.reason }).toEqual({ test_a: 'passed/call', reason: '' });
  });

  it('sees a clean environment', async () => {
    const test = `
import os, subprocess, sys

def test_environment():
    ours = [name for name in os.environ if name.startswith('TESTGRAD') and name != 'TESTGRAD_SANDBOX_OWNER']
    assert ours == []
    assert not sys.flags.hash_randomization or os.environ['PYTHONHASHSEED'] == '0'
    assert os.path.isdir(os.environ['HOME']) and os.path.isdir(os.environ['TMPDIR'])
    assert os.environ['TZ'] == 'UTC' and sys.flags.no_user_site
    assert 'pkg' in sys.modules or __import__('pkg').__file__.startswith(os.getcwd())

def test_child():
    code = 'import os, sys; print([n for n in os.environ if n.startswith("TESTGRAD_R")])'
    assert subprocess.check_output([sys.executable, '-c', code], text=True) == '[]\\n'

def test_tmp(tmp_path, cache):
    (tmp_path / 'file').write_text('x')
    cache.set('key', 1)
`;
    await writeFiles({ dir: ground.treeDir, files: { 'tests/test_it.py': test, 'src/pkg/__init__.py': '' } });
    const file = 'tests/test_it.py';
    const outcome = await runTestFile({
      ground,
      kind,
      python,
      file,
      pythonPath: ['src'],
      probeModules: ['pkg', 'nope'],
    });
    expect(outcome.outcomes.map(({ message }) => message)).toEqual(['', '', '']);
    expect(outcome.imports).toEqual({ pkg: 'src/pkg/__init__.py' });
  });

  it('cannot disturb the record by closing descriptors, forking, or patching what it is written with', async () => {
    const test = `
import json, os, sys, time

def test_closes():
    links = {fd: os.readlink('/proc/self/fd/' + fd) for fd in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + fd)}
    [record] = [int(fd) for fd, path in links.items() if path.endswith('.jsonl')]
    os.close(record)
    files = [open('file%d' % n, 'w') for n in range(20)]
    for file in files:
        file.write('mine')
        file.flush()

def test_forks():
    if os.fork() == 0:
        return  # the child goes on to run the rest of the tests
    os.wait()

def test_patches(monkeypatch):
    monkeypatch.setattr(os, 'write', lambda *a: 0)
    monkeypatch.setattr(json, 'dumps', lambda *a: 'null')
    monkeypatch.setattr(time, 'time', lambda: 0)
    assert False

def test_files_are_intact():
    assert [open('file%d' % n).read() for n in range(20)] == ['mine'] * 20
`;
    await writeFiles({ dir: ground.treeDir, files: { 'test_it.py': test } });
    const outcome = await runTestFile({ ground, kind, python, file: 'test_it.py' });
    expect(outcome.state).toBe('ran');
    expect(statuses(outcome)).toEqual({
      test_closes: 'passed/call',
      test_forks: 'passed/call',
      test_patches: 'failed/call',
      test_files_are_intact: 'passed/call',
    });
  });

  it('gives the same messages in two runs at different places', async () => {
    const test = `
import pytest
def test_object(tmp_path): assert object() == str(tmp_path)
def test_file(): open('/dev/null/x')
def test_path(): raise ValueError(__file__)
def test_long(): assert list(range(3000)) == []
`;
    const outcomes = [];
    for (const _ of [1, 2]) {
      const place = await makePlayground({ kind });
      await writeFiles({ dir: place.treeDir, files: { 'tests/test_it.py': test } });
      const { outcomes: found } = await runTestFile({ ground: place, kind, python, file: 'tests/test_it.py' });
      outcomes.push(found.map(({ durationMs, ...rest }) => rest));
      await place.remove();
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[0]?.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(outcomes[0]?.[2]?.message).toMatch(/^ValueError: tests\/test_it\.py\n/);
    for (const { message } of outcomes[0] ?? []) expect(message.length).toBeLessThanOrEqual(2_000);
  });
});
