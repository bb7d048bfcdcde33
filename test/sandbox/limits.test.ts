import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxKind } from '../../src/sandbox/sandbox.js';
import { eventually, marker, processesWith } from '../support/processes.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';

const kinds: readonly SandboxKind[] = (await hasBubblewrap()) ? ['bubblewrap', 'none'] : ['none'];
const GIB = 1024 ** 3;
const limits = { timeoutMs: 20_000, memoryBytes: GIB, maxProcesses: 32, maxOutputBytes: 10_000 };

describe.each(kinds)('an execution with %s', (kind) => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind });
  });
  afterEach(() => ground.remove());

  it('kills the whole tree at the time limit, deaf and detached children included', async () => {
    const mark = marker();
    const program = `
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
code = 'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)'
subprocess.Popen([sys.executable, '-c', code, '${mark}'])
subprocess.Popen([sys.executable, '-c', code, '${mark}'], start_new_session=True, stdout=subprocess.DEVNULL)
print('started', flush=True)
time.sleep(600)
`;
    const result = await ground.run({ argv: ['python3', '-c', program], limits: { ...limits, timeoutMs: 2_500 } });
    expect(result).toMatchObject({ exit: { kind: 'timeout' }, stdout: 'started\n' });
    expect(result.durationMs).toBeGreaterThanOrEqual(2_500);
    expect(result.durationMs).toBeLessThan(15_000);
    expect(processesWith(mark)).toEqual([]);
  });

  it('leaves no child behind when the program ends by itself', async () => {
    const mark = marker();
    const program = `
import subprocess, sys
code = 'import time; time.sleep(600)'
subprocess.Popen([sys.executable, '-c', code, '${mark}'])
subprocess.Popen([sys.executable, '-c', code, '${mark}'], start_new_session=True)
`;
    const result = await ground.run({ argv: ['python3', '-c', program] });
    expect(result.exit).toEqual({ kind: 'exited', code: 0 });
    expect(result.durationMs).toBeLessThan(10_000);
    expect(processesWith(mark)).toEqual([]);
  });

  it('stops when it is cancelled, before and during the run', async () => {
    const mark = marker();
    const controller = new AbortController();
    const program = 'import time; print("on", flush=True); open("on", "w").close(); time.sleep(600)';
    const running = ground.run({ argv: ['python3', '-c', program, mark], signal: controller.signal });
    await eventually({ what: 'it starts', done: () => existsSync(join(ground.treeDir, 'on')) });
    controller.abort();
    expect(await running).toMatchObject({ exit: { kind: 'cancelled' }, stdout: 'on\n' });
    expect(processesWith(mark)).toEqual([]);
    const late = await ground.run({ argv: ['touch', 'made'], signal: controller.signal });
    expect(late.exit).toEqual({ kind: 'cancelled' });
    expect(readdirSync(ground.treeDir)).toEqual(['on']);
  });

  it('stops a cancel that comes at once', async () => {
    const controller = new AbortController();
    const running = ground.run({ argv: ['sleep', '600'], signal: controller.signal });
    queueMicrotask(() => controller.abort());
    expect((await running).exit).toEqual({ kind: 'cancelled' });
  });

  it('is broken without its tree', async () => {
    const { exit } = await ground.run({ argv: ['true'], treeDir: `${ground.dir}/not-there` });
    expect(exit).toMatchObject({ kind: 'broken', reason: expect.stringMatching(/ENOENT|not-there/) });
  });

  it('refuses memory beyond the limit', async () => {
    const program = `
try:
    bytearray(2 * ${GIB})
    print('got it')
except MemoryError:
    print('refused')
`;
    expect((await ground.run({ argv: ['python3', '-c', program] })).stdout).toBe('refused\n');
  });

  it('keeps the ends of a long output', async () => {
    const program = 'print("first"); print("x" * 5_000_000); print("last")';
    const result = await ground.run({ argv: ['python3', '-c', program], limits });
    expect(result).toMatchObject({ exit: { kind: 'exited', code: 0 }, truncated: true });
    expect(result.stdout).toMatch(/^first\n.*bytes left out.*last\n$/s);
    expect(result.stdout.length).toBeLessThan(10_100);
  });

  it('kills what has too many processes or threads', async () => {
    // Bounded by itself: should the limit fail, it ends with 200 sleepers and not with a dead machine.
    const forks = `
import os, time
for _ in range(200):
    if os.fork() == 0:
        time.sleep(30); os._exit(0)
time.sleep(30)
`;
    const threads = `
import threading, time
for _ in range(100):
    threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
time.sleep(30)
`;
    for (const program of [forks, threads]) {
      const result = await ground.run({
        argv: ['python3', '-c', program, 'bounded-bomb'],
        limits: { ...limits, memoryBytes: 8 * GIB },
      });
      expect(result.exit).toEqual({ kind: 'overlimit', limit: 'processes' });
      expect(processesWith('bounded-bomb')).toEqual([]);
    }
  });

  it.runIf(kind === 'bubblewrap')('stops a bomb that doubles', async () => {
    // Bounded by itself: it stops forking after three seconds.
    const program = `
import os, time
end = time.time() + 3
while time.time() < end:
    try:
        os.fork()
    except OSError:
        pass
time.sleep(30)
`;
    const result = await ground.run({ argv: ['python3', '-c', program, 'doubling-bomb'], limits });
    expect(result.exit).toEqual({ kind: 'overlimit', limit: 'processes' });
    expect(processesWith('doubling-bomb')).toEqual([]);
  });

  it('lets a program have as many processes as it is allowed', async () => {
    const program = `
import multiprocessing
if __name__ == '__main__':
    with multiprocessing.Pool(8) as pool:
        print(sum(pool.map(abs, range(-100, 0))))
`;
    expect((await ground.run({ argv: ['python3', '-c', program] })).stdout).toBe('5050\n');
  });
});
