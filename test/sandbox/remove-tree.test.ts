import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('./programs/remove-locked.ts', import.meta.url));
const hooks = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));

test('what tests locked or nested without end is removed, and what stays is told', async () => {
  const { stdout } = await execa(process.execPath, ['--import', hooks, program]);
  expect(JSON.parse(stdout)).toEqual({ left: false, outsideMode: '500', refused: true, all: false });
});
