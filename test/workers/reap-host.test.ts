import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reapHost } from '../../src/workers/services.js';

const DAYS_AGO = new Date(Date.now() - 3 * 86_400_000);

test('copies of runs that ended on another host go after a day, those of runs in work stay', async () => {
  const home = await mkdtemp(join(tmpdir(), 'testgrad-reap-'));
  const runs = join(home, 'work', 'runs');
  try {
    for (const run of ['ended', 'in-work', 'new']) {
      await mkdir(join(runs, run, 'copy', 'tree'), { recursive: true });
      await writeFile(join(runs, run, 'copy', 'tree', 'file'), '');
    }
    for (const old of ['ended/copy', 'ended', 'in-work']) await utimes(join(runs, old), DAYS_AGO, DAYS_AGO);
    await reapHost({ home });
    expect((await readdir(runs)).sort()).toEqual(['in-work', 'new']);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
