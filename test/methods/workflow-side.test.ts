import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Every module that is loaded with this one, as paths below `src`; packages as they are named. */
async function loadedWith(path: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = await readFile(join(SOURCE, path), 'utf8');
  for (const [, clause = '', from = ''] of text.matchAll(/^(?:import|export)\s([^;]*?)from '([^']+)';/gms)) {
    const names = clause.replace(/[{}]/g, '').split(',');
    const isTypeOnly = clause.startsWith('type ') || names.every((each) => /^\s*(type\s|$)/.test(each));
    if (isTypeOnly) continue;
    if (from.startsWith('.')) await loadedWith(join(dirname(path), from.replace(/\.js$/, '.ts')), seen);
    else seen.add(from);
  }
  return seen;
}

describe('what decides in a method', () => {
  it.each(['augment', 'agentless', 'trae', 'pass-count', 'single', 'random', 'oracle'])(
    'can run in a workflow: %s loads no package, and beside core only what decides too',
    async (method) => {
      const loaded = [...(await loadedWith(`methods/${method}/select.ts`))];
      expect(loaded.length).toBeGreaterThan(1);
      const allowed =
        /^(core\/|methods\/(settle|expected)\.ts$|methods\/[a-z-]+\/(select|regression|rerank|group|vote)\.ts$)/;
      expect(loaded.filter((path) => !allowed.test(path))).toEqual([]);
      const texts = await Promise.all(loaded.map((path) => readFile(join(SOURCE, path), 'utf8')));
      for (const text of texts) expect(text).not.toMatch(/Date\.now|new Date|Math\.random|setTimeout|process\./);
    },
  );
});
