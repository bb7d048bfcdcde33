import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Playground } from '../support/sandboxes.js';
import { makePlayground } from '../support/sandboxes.js';

describe('a plain subprocess', () => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind: 'none' });
  });
  afterEach(() => ground.remove());

  it('runs in its tree with the environment asked for, and nothing of the worker’s but its label', async () => {
    process.env.SECRET_KEY_OF_THE_WORKER = 'sk-1';
    const { stdout } = await ground.run({ argv: ['sh', '-c', 'pwd; env; echo written > made'] });
    delete process.env.SECRET_KEY_OF_THE_WORKER;
    expect(stdout.split('\n')[0]).toBe(ground.treeDir);
    expect(stdout.match(/^[A-Z_]+(?==)/gm)?.toSorted()).toEqual(['HOME', 'PATH', 'PWD', 'TESTGRAD_SANDBOX_OWNER']);
    expect(await readFile(join(ground.treeDir, 'made'), 'utf8')).toBe('written\n');
  });

  it('has a home of its own', async () => {
    const { stdout } = await ground.run({ argv: ['sh', '-c', 'cd ~ && pwd'] });
    expect(stdout).toBe(`${join(ground.scratchDir, 'home')}\n`);
  });

  it('reports exit codes and signals', async () => {
    expect((await ground.run({ argv: ['sh', '-c', 'exit 139'] })).exit).toEqual({ kind: 'exited', code: 139 });
    const { exit } = await ground.run({ argv: ['sh', '-c', 'kill -SEGV $$'] });
    expect(exit).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('finds a program by a path relative to the tree, and is broken without one', async () => {
    await mkdir(join(ground.treeDir, 'bin'));
    await writeFile(join(ground.treeDir, 'bin', 'tool'), '#!/bin/sh\necho "$1"\n', { mode: 0o755 });
    expect((await ground.run({ argv: ['bin/tool', 'a  b'] })).stdout).toBe('a  b\n');
    expect((await ground.run({ argv: ['no-such-tool'] })).exit.kind).toBe('broken');
    expect((await ground.run({ argv: ['bin'] })).exit.kind).toBe('broken');
    expect((await ground.run({ argv: [] })).exit.kind).toBe('broken');
  });
});
