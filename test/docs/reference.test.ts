import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePage } from './reference.js';

test('docs/reference.md says what the tables of the code say', async () => {
  const file = fileURLToPath(new URL('../../docs/reference.md', import.meta.url));
  await expect(referencePage()).toMatchFileSnapshot(file);
});
