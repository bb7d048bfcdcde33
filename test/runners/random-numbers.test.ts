import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pythonWithPytest } from '../support/python-venv.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, writeFiles } from '../support/test-files.js';

const kind = (await hasBubblewrap()) ? 'bubblewrap' : 'none';
const python = await pythonWithPytest();

// Each test fails and says what it drew, as did its module when it was imported.
const FILE = `
import random
import unittest

AT_IMPORT = random.random()

class Draw(unittest.TestCase):
    def setUp(self): self.first = random.random()
    def test_a(self): self.fail("drew %r %r %r" % (AT_IMPORT, self.first, random.choice(range(10**9))))
    def test_b(self): self.fail("drew %r %r %r" % (AT_IMPORT, self.first, random.choice(range(10**9))))
`;

describe.each(['python -m pytest', 'python -m unittest'])('random numbers with %s', (command) => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind });
    await writeFiles({ dir: ground.treeDir, files: { 'test_it.py': FILE } });
  });
  afterEach(() => ground.remove());

  const drawn = async (wish: { seed: number; tests?: readonly string[] }): Promise<Record<string, string>> => {
    const { outcomes } = await runTestFile({ ground, kind, python, file: 'test_it.py', command, ...wish });
    const numbers = (message = ''): string => /drew [\d .e-]+/.exec(message)?.[0] ?? 'nothing';
    return Object.fromEntries(outcomes.map(({ testId, message }) => [testId.slice(-1), numbers(message)]));
  };

  it('are the same in every run with one seed, whatever ran before, and others with another', async () => {
    const first = await drawn({ seed: 0 });
    expect(first.a).toMatch(/^drew 0\.\d+ 0\.\d+ \d+$/);
    expect(first.a).not.toBe(first.b);
    expect(await drawn({ seed: 0 })).toEqual(first);
    expect(await drawn({ seed: 0, tests: ['test_it.py::Draw::test_b'] })).toEqual({ b: first.b });
    const again = await drawn({ seed: 1 });
    expect(again.a).not.toBe(first.a);
    expect(again.b).not.toBe(first.b);
  });
});
