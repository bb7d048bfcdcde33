import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/cli/config/config-schema.js';
import { DOCUMENTS, documentJsonSchema } from '../../src/cli/schemas/documents.js';

// A stale file fails; `npx vitest run test/docs -u` writes all of them anew.
const folder = new URL('../../docs/schemas/', import.meta.url);
const fileOf = (name: string): string => `${name.replace(/^testgrad\./, '').replace('/', '-')}.json`;
const text = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

test.each(Object.keys(DOCUMENTS))('the published schema of %s is that of the code', async (name) => {
  await expect(text(documentJsonSchema(name))).toMatchFileSnapshot(fileURLToPath(new URL(fileOf(name), folder)));
});

test('the published schema of the configuration file is that of the code', async () => {
  await expect(text(configJsonSchema())).toMatchFileSnapshot(fileURLToPath(new URL('config-1.json', folder)));
});

test('nothing else is published', () => {
  const expected = [...Object.keys(DOCUMENTS).map(fileOf), 'config-1.json'];
  expect(readdirSync(folder).sort()).toEqual(expected.sort());
});
