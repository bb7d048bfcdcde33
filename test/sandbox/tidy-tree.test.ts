import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./programs/tidy-locked.ts', import.meta.url));
const hooks = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));

test('a tree can be copied whatever a program left in it, and what links lead to stays', async () => {
  const { stdout } = await execa(process.execPath, ['--import', hooks, program]);
  const copied = ['link', 'locked', 'locked/inner', 'locked/inner/file'];
  expect(JSON.parse(stdout)).toEqual({ copied, pipeOutside: true });
});
