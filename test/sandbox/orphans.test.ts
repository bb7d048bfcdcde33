import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killOwned, reapOrphans } from '../../src/sandbox/reaper.js';
import type { SandboxKind } from '../../src/sandbox/sandbox.js';
import { eventually, marker, processesWith } from '../support/processes.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';

const available = await hasBubblewrap();
const program = fileURLToPath(new URL('./programs/endless.ts', import.meta.url));
const hooks = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));

describe('a worker that is killed', () => {
  let ground: Playground;
  let mark: string;
  let worker: ChildProcess;
  beforeEach(async () => {
    ground = await makePlayground({ kind: 'none' });
    mark = marker();
  });
  afterEach(async () => {
    worker.kill('SIGKILL');
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
    await ground.remove();
  });

  const startWorker = async (kind: SandboxKind): Promise<readonly number[]> => {
    const args = ['--import', hooks, program, kind, ground.treeDir, ground.scratchDir, mark];
    worker = spawn(process.execPath, args, { stdio: 'inherit' });
    await eventually({ what: 'the program starts', done: () => existsSync(join(ground.treeDir, 'started')) });
    return processesWith(mark).filter((pid) => pid !== worker.pid);
  };
  const killWorker = async (): Promise<void> => {
    worker.kill('SIGKILL');
    await new Promise((resolve) => worker.once('exit', resolve));
  };

  it.skipIf(!available)('takes its bubblewrap sandboxes along', async () => {
    expect((await startWorker('bubblewrap')).length).toBeGreaterThanOrEqual(2);
    await killWorker();
    await eventually({ what: 'the sandbox ends with it', done: () => processesWith(mark).length === 0 });
  });

  it('leaves plain subprocesses to the reaper, which spares those of living owners', async () => {
    const before = await startWorker('none');
    expect(before.length).toBeGreaterThanOrEqual(2);
    await reapOrphans();
    expect(processesWith(mark)).toEqual(expect.arrayContaining([...before]));

    await killWorker();
    expect(processesWith(mark)).toEqual(before);
    await reapOrphans({ host: 'some-other-machine' });
    expect(processesWith(mark)).toEqual(before);
    expect((await reapOrphans()).killed).toBeGreaterThanOrEqual(before.length);
    expect(processesWith(mark)).toEqual([]);
  });

  it('has all of a run’s processes killed by the run’s id', async () => {
    const before = await startWorker('none');
    await killOwned({ runId: `run-of-somebody-else`, home: ground.treeDir });
    expect(processesWith(mark)).toEqual(expect.arrayContaining([...before]));
    expect((await killOwned({ runId: `run-${mark}`, home: ground.treeDir })).killed).toBe(before.length);
    await eventually({ what: 'they end', done: () => processesWith(mark).every((pid) => pid === worker.pid) });
  });

  it('is not taken for another state folder’s worker on the same run, as long as it lives', async () => {
    const before = await startWorker('none');
    const other = { runId: `run-${mark}`, home: ground.scratchDir };
    expect(await killOwned(other)).toEqual({ killed: 0 });
    expect(processesWith(mark)).toEqual(expect.arrayContaining([...before]));
    await killWorker();
    expect(await killOwned(other)).toEqual({ killed: before.length });
    expect(processesWith(mark)).toEqual([]);
  });

  it.skipIf(!available)('has a run’s bubblewrap sandboxes killed by the run’s id', async () => {
    await startWorker('bubblewrap');
    // The folder is the same by whatever path it is reached.
    const link = join(ground.scratchDir, 'link');
    await symlink(ground.treeDir, link);
    expect((await killOwned({ runId: `run-${mark}`, home: link })).killed).toBeGreaterThan(0);
    await eventually({ what: 'they end', done: () => processesWith(mark).every((pid) => pid === worker.pid) });
  });
});
