import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostPlaces, withoutHostPaths } from '../../src/runners/host-paths.js';
import { recorderDir } from '../../src/runners/recorder-dir.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, writeFiles } from '../support/test-files.js';

const available = await hasBubblewrap();
const venv = await pythonWithPytest();
const kinds = available ? (['bubblewrap', 'none'] as const) : (['none'] as const);

/** Failures whose messages name folders of the machine. */
const TEST = `
import json, os, sys, tempfile, unittest, pytest

class TestPlaces(unittest.TestCase):
    def test_library(self): raise ValueError('in ' + json.__file__)
    def test_package(self): raise ValueError('in ' + pytest.__file__)
    def test_prefix(self): raise ValueError('%s and %s' % (sys.prefix, sys.executable))
    def test_home(self): raise ValueError(os.path.expanduser('~/.config') + ':' + os.environ['HOME'])
    def test_temporary(self): open(os.path.join(tempfile.mkdtemp(), 'gone', 'x'))
    def test_root(self): raise ValueError('%s, file://%s/a.py' % (os.getcwd(), os.getcwd()))
    def test_traceback(self): json.loads('{')
    def test_plain(self): self.assertEqual('usr/lib/tmp', '/etc/tmp')
`;
const BROKEN = 'import json\njson.loads("{")\n';

/** First lines of the messages, on every machine. */
const REASONS = {
  test_library: 'ValueError: in <python>/json/__init__.py',
  test_package: 'ValueError: in <python>/site-packages/pytest/__init__.py',
  test_prefix: 'ValueError: <python> and <python>/bin/python',
  test_home: 'ValueError: <home>/.config:<home>',
  test_temporary: "FileNotFoundError: [Errno 2] No such file or directory: '<tmp>/tmpN/gone/x'",
  test_root: 'ValueError: <repository>, file://a.py',
  test_traceback: expect.stringMatching(/^json.decoder.JSONDecodeError: Expecting property name/),
  test_plain: "AssertionError: 'usr/lib/tmp' != '/etc/tmp'",
};

describe('paths of the machine', () => {
  let elsewhere: string;
  beforeAll(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'testgrad-interpreter-'));
    await symlink(dirname(dirname(venv)), join(elsewhere, 'environment'));
  });
  afterAll(() => rm(elsewhere, { recursive: true, force: true }));

  for (const kind of kinds) {
    for (const command of ['python -m pytest', 'python -m unittest']) {
      it(`do not reach the messages of ${command} (${kind})`, async () => {
        const all: Record<string, string>[] = [];
        for (const python of [venv, join(elsewhere, 'environment', 'bin', 'python')]) {
          const ground = await makePlayground({ kind });
          await writeFiles({ dir: ground.treeDir, files: { 'test_it.py': TEST, 'test_broken.py': BROKEN } });
          const options = { ground, kind, python, command };
          const outcome = await runTestFile({ ...options, file: 'test_it.py' });
          const messages = outcome.outcomes.map(({ testId, message }) => [testId.split('::').at(-1), message]);
          all.push(Object.fromEntries(messages));
          const broken = await runTestFile({ ...options, file: 'test_broken.py' });
          const text = [...Object.values(all.at(-1) ?? {}), broken.reason].join('\n');
          for (const path of [ground.dir, dirname(dirname(venv)), elsewhere, recorderDir(), '/usr/']) {
            expect(text).not.toContain(path);
          }
          expect(broken.reason).toContain('JSONDecodeError');
          await ground.remove();
        }
        const [first = {}, second = {}] = all;
        const heads = Object.entries(first).map(([name, message]) => [name, message.split('\n')[0]]);
        expect(Object.fromEntries(heads)).toEqual(REASONS);
        expect(second).toEqual(first);
      });
    }
  }

  it('do not reach what is said of a run that left no record', () => {
    const places = hostPlaces({
      env: { HOME: '/s/home', TMPDIR: '/s/tmp' },
      readOnlyPaths: ['/opt/py', '/opt/py/deep'],
    });
    const clean = (text: string): string => withoutHostPaths({ text, root: '/r/p', places });
    expect(clean('File "/r/p/pkg/x.py", in /r/p; /r/p2 and a/r/p stay')).toBe(
      'File "pkg/x.py", in <repository>; /r/p2 and a/r/p stay',
    );
    expect(clean(`${recorderDir()}/testgrad_record.py, /s/home/.cache:/s/tmp/x`)).toBe(
      '<testgrad>/testgrad_record.py, <home>/.cache:<tmp>/x',
    );
    for (const library of ['/opt/py/lib/python3.11', '/usr/lib/python3.12', '/usr/local/lib64/python3']) {
      expect(clean(`${library}/dist-packages/x.py`)).toBe('<python>/site-packages/x.py');
    }
    expect(clean('/opt/python /opt/py.x /opt/py/deep/bin')).toBe('/opt/python /opt/py.x <python>/bin');
  });
});
