import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { marker, processesWith } from '../support/processes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, statuses, writeFiles } from '../support/test-files.js';

const available = await hasBubblewrap();
const python = await pythonWithPytest();
const file = 'test_it.py';

describe.skipIf(!available)('hostile tests in bubblewrap', () => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind: 'bubblewrap' });
  });
  afterEach(() => ground.remove());

  it('fail by themselves where the sandbox refuses them something', async () => {
    const test = `
import os, socket, urllib.request

def test_memory(): bytearray(8 * 1024 ** 3)
def test_network(): urllib.request.urlopen('http://192.0.2.1/', timeout=5)
def test_name(): socket.getaddrinfo('example.org', 80)
def test_write(): open('/usr/mine', 'w')
def test_kill_init(): os.kill(1, 9)
def test_home(): assert os.listdir(os.path.expanduser('~')) != []
def test_own_place(): open('made', 'w').write('x')
`;
    await writeFiles({ dir: ground.treeDir, files: { [file]: test } });
    const outcome = await runTestFile({ ground, kind: 'bubblewrap', python, file });
    const messages = outcome.outcomes.map(({ message }) => message.split('\n')[0]);
    expect(outcome.state).toBe('ran');
    expect(statuses(outcome)).toEqual({
      test_memory: 'failed/call',
      test_network: 'failed/call',
      test_name: 'failed/call',
      test_write: 'failed/call',
      // The namespace's first process is deaf to its children.
      test_kill_init: 'passed/call',
      test_home: 'failed/call',
      test_own_place: 'passed/call',
    });
    expect(messages[0]).toContain('MemoryError');
    expect(messages[1]).toContain('Network is unreachable');
    expect(messages[3]).toContain('Read-only file system');
    expect(existsSync(join(ground.treeDir, 'made'))).toBe(true);
    expect(existsSync(join(ground.mountAt, 'made'))).toBe(false);
  });

  it('are stopped with all that they started, and what was known before is kept', async () => {
    const mark = marker();
    const test = `
import os, subprocess, sys, time

def test_before(): pass
def test_leaves_children():
    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', '${mark}'], start_new_session=True)
def test_bomb():
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    time.sleep(30)
def test_after(): pass
`;
    await writeFiles({ dir: ground.treeDir, files: { [file]: test } });
    const outcome = await runTestFile({ ground, kind: 'bubblewrap', python, file });
    expect(outcome).toMatchObject({ state: 'crashed', reason: expect.stringContaining('too many processes') });
    expect(statuses(outcome)).toEqual({
      test_before: 'passed/call',
      test_leaves_children: 'passed/call',
      test_bomb: 'error/call',
      test_after: 'missing/collect',
    });
    expect(processesWith(mark)).toEqual([]);
  });

  it.each(['python -m pytest', 'python -m unittest'])(
    'do not keep %s with a thread they leave behind',
    async (command) => {
      const test = `
import threading, time, unittest

class It(unittest.TestCase):
    def test_it(self): threading.Thread(target=time.sleep, args=(600,)).start()
`;
      await writeFiles({ dir: ground.treeDir, files: { [file]: test } });
      const outcome = await runTestFile({ ground, kind: 'bubblewrap', python, file, command });
      expect(outcome).toMatchObject({ state: 'ran', outcomes: [{ status: 'passed' }] });
    },
  );
});

describe('a plain subprocess', () => {
  it('gives the same outcomes without a sandbox', async () => {
    const ground = await makePlayground({ kind: 'none' });
    const test = `
import os
def test_a(tmp_path): assert str(tmp_path).startswith(os.environ['TMPDIR'])
def test_b(): assert os.path.isdir(os.path.expanduser('~'))
def test_c(): assert __file__ == 1
`;
    await writeFiles({ dir: ground.treeDir, files: { [file]: test } });
    const outcome = await runTestFile({ ground, kind: 'none', python, file });
    await ground.remove();
    expect(statuses(outcome)).toEqual({ test_a: 'passed/call', test_b: 'passed/call', test_c: 'failed/call' });
    expect(outcome.outcomes[2]?.message).toMatch(/^AssertionError: assert 'test_it\.py' == 1\n/);
  });
});
