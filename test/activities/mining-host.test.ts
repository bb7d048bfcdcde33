import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type MiningTask, mine } from '../../src/activities/mining.js';
import { createMiningHost, type MiningHost } from '../../src/activities/mining-host.js';
import type { FailedUpdate } from '../../src/core/failure-memory.js';

const root = join(import.meta.dirname, '..', '..');
const url = (path: string): URL => pathToFileURL(join(root, path));

const update = (step: number, lines: readonly string[]): FailedUpdate => ({
  step,
  kind: 'uniform',
  reason: '',
  direction: '',
  tests: [
    { name: 'test_a', file: 'test_a.py', source: `def test_a(app):\n${lines.map((one) => `    ${one}\n`).join('')}` },
  ],
  deleted: [],
});

const task = (direction: string): MiningTask => ({
  memory: [{ ...update(1, ['app.build()']), direction }],
  minSupport: 2,
  steer: [],
  focus: [],
});

let host: MiningHost | undefined;
afterEach(() => host?.end());

/** A thread that does what a task's direction says; its answers tell which thread gave them. */
const obedient = (timeoutMs = 20_000): MiningHost => {
  host = createMiningHost({ script: url('test/activities/programs/obedient-thread.mjs'), timeoutMs });
  return host;
};

describe('createMiningHost', () => {
  it('gives the same bytes as the caller’s thread, whatever was mined before', async () => {
    host = createMiningHost({
      script: url('src/activities/mining-thread.ts'),
      execArgv: ['--import', join(root, 'test/support/ts-source.mjs')],
    });
    const one = update(1, ['app.build()', 'warn = app.warning()', 'assert "x" not in warn']);
    const two = update(2, ['app.build()', 'warnings = app.warning()', 'assert "x" not in warnings', 'f(1)']);
    const tasks = [[one], [one, two], [one]].map((memory) => ({ ...task(''), memory }));
    const answers = await Promise.all(tasks.map((each) => host?.mine(each)));
    expect(answers).toEqual(await Promise.all(tasks.map(mine)));
    expect(answers[1]?.text).toBe(
      'Dead end: 2 of 2 failed updates\n  app.build()\n  warnings = app.warning()\n  assert "x" not in warnings',
    );
  });

  it('keeps one thread, and answers by id in whatever order', async () => {
    const { mine: ask } = obedient();
    const [slow, fast] = await Promise.all([ask(task('slow')), ask(task('fast'))]);
    expect([slow.text, fast.text]).toEqual([expect.stringMatching(/^slow /), expect.stringMatching(/^fast /)]);
    expect((await ask(task('again'))).tokens).toBe(slow.tokens);
    await expect(ask(task('refuse'))).rejects.toThrow('Mining failed: refuse');
    expect((await ask(task('again'))).tokens).toBe(slow.tokens);
  });

  it.each(['throw', 'exit'])('starts anew after a thread that ended by %s', async (way) => {
    const { mine: ask } = obedient();
    const before = await ask(task('fast'));
    const [crashed, waiting] = await Promise.allSettled([ask(task(way)), ask(task('never'))]);
    expect([crashed.status, waiting.status]).toEqual(['rejected', 'rejected']);
    expect((await ask(task('fast'))).tokens).not.toBe(before.tokens);
  });

  it('ends a thread that does not answer in time', async () => {
    const { mine: ask } = obedient(300);
    await expect(ask(task('never'))).rejects.toThrow('did not answer within 300 ms');
    expect((await ask(task('fast'))).text).toMatch(/^fast /);
  });

  it('answers what it was asked before it ends', async () => {
    const { mine: ask, end } = obedient();
    const asked = ask(task('slow'));
    end();
    const first = await asked;
    expect(first.text).toMatch(/^slow /);
    expect((await ask(task('fast'))).tokens).not.toBe(first.tokens);
  });
});
