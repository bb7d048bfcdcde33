import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./programs/discarding.ts', import.meta.url));
const hooks = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));

test('folders that tests locked go with their workspace and their run; what has to stay costs no result', async () => {
  const { stdout } = await execa(process.execPath, ['--import', hooks, program]);
  expect(JSON.parse(stdout)).toEqual({
    workspaceGone: true,
    released: { removed: 0 },
    runGone: true,
    warnedBefore: 0,
    stuckReleased: { removed: 0 },
    stays: true,
    warnings: ['a throw-away folder stays'],
  });
});
