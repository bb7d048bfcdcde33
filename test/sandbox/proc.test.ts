import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { environmentOf, startTimeOf, statOf, tasksInNamespace, threadsOf } from '../../src/sandbox/proc.js';

describe('what /proc says', () => {
  it('tells a running process from one that has ended and from none', async () => {
    const child = spawn('sleep', ['30'], { env: { MARK: 'a=b' } });
    await new Promise((resolve) => child.once('spawn', resolve));
    const pid = child.pid ?? 0;
    expect(startTimeOf(pid)).toMatch(/^\d+$/);
    expect(startTimeOf(pid)).toBe(startTimeOf(pid));
    expect(environmentOf({ pid, name: 'MARK' })).toBe('a=b');
    expect(environmentOf({ pid, name: 'MAR' })).toBeNull();
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(startTimeOf(pid)).toBeNull();
    expect(statOf(pid)).toBeNull();
    expect(threadsOf({ pid })).toBe(0);
  });

  it('reads a program’s name with spaces and parentheses', async () => {
    const child = spawn('python3', [
      '-c',
      'open("/proc/self/comm", "w").write("a) R (b"); print(1, flush=True); input()',
    ]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(statOf(child.pid ?? 0)).toMatchObject({ state: expect.stringMatching(/^[RS]$/), pid: child.pid });
    child.kill('SIGKILL');
  });

  it('counts threads', () => {
    // Node always has more than one.
    expect(threadsOf({ pid: process.pid })).toBeGreaterThan(1);
  });

  it('does not take the host for a namespace that is still being made', () => {
    expect(tasksInNamespace({ initPid: process.pid, enough: 1 })).toBe(0);
  });
});
